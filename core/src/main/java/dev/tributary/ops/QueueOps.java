package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Scope;
import dev.tributary.kernel.random.OpSeeds;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Makes queues, which carry elements between steps, threads and tasks. */
public final class QueueOps {
  private final Scope scope;

  QueueOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return QueueDeclarations.declarations();
  }

  /** First in, first out. */
  public Queue fifoQueue(QueueOptions options) {
    return build(maker("FIFOQueueV2", options), options.types());
  }

  /**
   * First in, first out; sizes that {@code options} leave open may differ, and a batch is filled up
   * with zeros.
   */
  public Queue paddingFifoQueue(QueueOptions options) {
    return build(maker("PaddingFIFOQueueV2", options), options.types());
  }

  /**
   * Any element may come out next.
   *
   * @param minAfterDequeue how many elements a dequeue must leave in the open queue, so that they
   *     are well mixed
   */
  public Queue randomShuffleQueue(QueueOptions options, int minAfterDequeue) {
    return randomShuffleQueue(options, minAfterDequeue, OptionalLong.empty());
  }

  /** As the other, in an order that follows from the seed. */
  public Queue randomShuffleQueue(QueueOptions options, int minAfterDequeue, long seed) {
    return randomShuffleQueue(options, minAfterDequeue, OptionalLong.of(seed));
  }

  /**
   * The smallest priority comes out first. It is an int64 scalar in front of the components that
   * {@code options} tell.
   */
  public Queue priorityQueue(QueueOptions options) {
    List<DataType> types = new ArrayList<>(options.types());
    types.add(0, DataType.INT64);
    return build(maker("PriorityQueueV2", options), types);
  }

  private Queue randomShuffleQueue(QueueOptions options, int minAfterDequeue, OptionalLong seed) {
    OpSeeds seeds = RandomOps.seeds(scope.graph(), seed);
    return build(
        maker("RandomShuffleQueueV2", options)
            .attr("min_after_dequeue", minAfterDequeue)
            .attr("seed", seeds.seed())
            .attr("seed2", seeds.seed2()),
        options.types());
  }

  private OperationBuilder maker(String op, QueueOptions options) {
    // A queue must not depend on the branch or loop in which a client happens to make it.
    return scope
        .withoutControlDependencies()
        .operation(op)
        .attr("component_types", options.types())
        .attr("shapes", options.shapes())
        .attr("capacity", options.capacity())
        .attr("shared_name", options.sharedName());
  }

  private Queue build(OperationBuilder maker, List<DataType> types) {
    return new Queue(scope.withoutName(), maker.buildOutput(), types);
  }
}
