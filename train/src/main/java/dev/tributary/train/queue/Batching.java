package dev.tributary.train.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Makes batches of the elements that tensors give step by step. Each call adds a queue, and a queue
 * runner that fills it, to the graph. A fetch of the batch ends with OUT_OF_RANGE when the input
 * does.
 */
public final class Batching {
  private Batching() {}

  /** Batches in the order of the input. */
  public static List<Output> batch(Ops tf, List<? extends Operand> tensors, BatchOptions options) {
    Ops scope = tf.withSubScope("batch");
    QueueOptions holds = queueOptions(tensors, options);
    Queue queue =
        options.dynamicPad() ? scope.queues.paddingFifoQueue(holds) : scope.queues.fifoQueue(holds);
    return batches(scope, queue, tensors, options);
  }

  /**
   * Batches of elements in random order.
   *
   * @param minAfterDequeue the number of elements that must wait besides a batch, so that they are
   *     well mixed
   */
  public static List<Output> shuffleBatch(
      Ops tf, List<? extends Operand> tensors, int minAfterDequeue, BatchOptions options) {
    return shuffleBatch(tf, tensors, minAfterDequeue, OptionalLong.empty(), options);
  }

  /** As the other, in an order that follows from the seed if there is one thread. */
  public static List<Output> shuffleBatch(
      Ops tf,
      List<? extends Operand> tensors,
      int minAfterDequeue,
      long seed,
      BatchOptions options) {
    return shuffleBatch(tf, tensors, minAfterDequeue, OptionalLong.of(seed), options);
  }

  private static List<Output> shuffleBatch(
      Ops tf,
      List<? extends Operand> tensors,
      int minAfterDequeue,
      OptionalLong seed,
      BatchOptions options) {
    if (options.dynamicPad()) {
      throw TributaryException.invalidArgument("a shuffled batch cannot be padded");
    }
    Ops scope = tf.withSubScope("shuffle_batch");
    QueueOptions holds = queueOptions(tensors, options);
    Queue queue =
        seed.isPresent()
            ? scope.queues.randomShuffleQueue(holds, minAfterDequeue, seed.getAsLong())
            : scope.queues.randomShuffleQueue(holds, minAfterDequeue);
    return batches(scope, queue, tensors, options);
  }

  private static QueueOptions queueOptions(List<? extends Operand> tensors, BatchOptions options) {
    if (tensors.isEmpty()) {
      throw TributaryException.invalidArgument("a batch needs at least one tensor");
    }
    Shape[] shapes =
        tensors.stream().map(tensor -> elementShape(tensor, options)).toArray(Shape[]::new);
    return QueueOptions.of(
            options.capacity(),
            Operand.asOutputs(tensors).stream().map(Output::type).toArray(DataType[]::new))
        .withShapes(shapes)
        .withSharedName(options.sharedName());
  }

  private static Shape elementShape(Operand tensor, BatchOptions options) {
    Shape shape = tensor.asOutput().shape();
    boolean rows = options.enqueueMany();
    boolean known = rows ? shape.rank() > 0 : shape.hasRank();
    Shape element = known && rows ? shape.slice(1, shape.rank()) : shape;
    if (!known || !(options.dynamicPad() || element.isFullyDefined())) {
      throw TributaryException.invalidArgument(
          "%s has shape %s; the elements of a batch must have a known shape%s",
          tensor.asOutput().name(), shape, options.dynamicPad() ? "'s rank" : ", or be padded");
    }
    return element;
  }

  private static List<Output> batches(
      Ops scope, Queue queue, List<? extends Operand> tensors, BatchOptions options) {
    Operation enqueue = options.enqueueMany() ? queue.enqueueMany(tensors) : queue.enqueue(tensors);
    QueueRunner.of(queue, Collections.nCopies(options.threads(), enqueue)).addTo(scope.graph());
    return options.allowSmallerFinalBatch()
        ? queue.dequeueUpTo(options.batchSize())
        : queue.dequeueMany(options.batchSize());
  }
}
