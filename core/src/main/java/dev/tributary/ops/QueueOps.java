package dev.tributary.ops;

import static dev.tributary.ops.ResourceDeclaration.versioned;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.queue.QueueKernels;
import dev.tributary.internal.kernel.queue.QueueKind;
import dev.tributary.internal.kernel.random.OpSeeds;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/**
 * Queues, which carry elements between steps, threads and tasks. This family makes them, with
 * reference handles and with resource handles; the client methods of the ops that use one are in
 * {@link Queue}.
 */
public final class QueueOps extends StagingOps {
  QueueOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    for (HandleForm form : HandleForm.values()) {
      for (QueueKind kind : QueueKind.values()) {
        all.add(maker(form, kind));
      }
      all.add(enqueue("QueueEnqueue", form, QueueKernels::enqueue));
      all.add(enqueue("QueueEnqueueMany", form, QueueKernels::enqueueMany));
      all.add(
          dequeue(user("QueueDequeue", form), form, QueueKernels::dequeue)
              .shape(c -> componentShapes(c, Shape.scalar()))
              .notDifferentiable());
      all.add(
          dequeue(user("QueueDequeueMany", form).input("n: int32"), form, QueueKernels::dequeueMany)
              .shape(c -> componentShapes(c, Shape.of(requireCount(c))))
              .notDifferentiable());
      all.add(
          dequeue(user("QueueDequeueUpTo", form).input("n: int32"), form, QueueKernels::dequeueUpTo)
              .shape(
                  c -> {
                    requireCount(c);
                    componentShapes(c, Shape.ofRank(1));
                  })
              .notDifferentiable());
      all.add(
          user("QueueClose", form)
              .attr("cancel_pending_enqueues: bool = false")
              .shape(ShapeRules::unknown)
              .kernel(node -> QueueKernels.close(node, form))
              .notDifferentiable());
      all.add(
          user("QueueSize", form)
              .output("size: int32")
              .shape(ShapeRules::scalar)
              .kernel(node -> QueueKernels.size(node, form))
              .notDifferentiable());
      all.add(
          user("QueueIsClosed", form)
              .output("is_closed: bool")
              .shape(ShapeRules::scalar)
              .kernel(node -> QueueKernels.isClosed(node, form))
              .notDifferentiable());
    }
    return all;
  }

  private static OpDeclaration maker(HandleForm form, QueueKind kind) {
    Declaration declaration =
        ResourceDeclaration.maker(versioned(kind.opName(), form), form, "handle");
    // A priority comes in front of these types, so there may be no other.
    if (kind == QueueKind.PRIORITY) {
      declaration.attr("component_types: list(type) >= 0 = []").attr("shapes: list(shape) >= 0");
    } else {
      declaration.attr("component_types: list(type) >= 1").attr("shapes: list(shape) >= 0 = []");
    }
    declaration.attr("capacity: int = -1");
    if (kind == QueueKind.RANDOM_SHUFFLE) {
      declaration.attr("min_after_dequeue: int = 0").attr("seed: int = 0").attr("seed2: int = 0");
    }
    if (form == HandleForm.RESOURCE) {
      declaration.shape(c -> resourceShape(c, kind));
    }
    return declaration
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .flag(OpFlag.SHARED_BY_NAME)
        .kernel(node -> QueueKernels.maker(node, form, kind))
        .notDifferentiable();
  }

  /** A resource handle tells dequeues what shapes come out. */
  private static void resourceShape(InferenceContext context, QueueKind kind) {
    context.output(0, Shape.scalar());
    List<Shape> shapes = new ArrayList<>(context.attributes().shapes("shapes"));
    if (kind == QueueKind.PRIORITY && !shapes.isEmpty()) {
      shapes.add(0, Shape.scalar());
    }
    context.outputHandles(0, shapes);
  }

  private static OpDeclaration enqueue(
      String name, HandleForm form, BiFunction<KernelNode, HandleForm, Kernel> kernel) {
    return user(name, form)
        .input("components: Tcomponents")
        .attr("Tcomponents: list(type) >= 1")
        .attr("timeout_ms: int = -1")
        .shape(ShapeRules::unknown)
        .kernel(node -> kernel.apply(node, form))
        .notDifferentiable();
  }

  private static Declaration dequeue(
      Declaration declaration, HandleForm form, BiFunction<KernelNode, HandleForm, Kernel> kernel) {
    return declaration
        .output("components: component_types")
        .attr("component_types: list(type) >= 1")
        .attr("timeout_ms: int = -1")
        .kernel(node -> kernel.apply(node, form));
  }

  /** Each output has the shape of its component behind {@code prefix}, if that is known. */
  private static void componentShapes(InferenceContext context, Shape prefix) {
    List<Shape> shapes = context.inputHandles(0);
    if (shapes.size() == context.outputCount()) {
      for (int i = 0; i < shapes.size(); i++) {
        context.output(i, prefix.concatenate(shapes.get(i)));
      }
    }
  }

  /** Returns how many elements a batch will have, or -1 if that is not known. */
  private static long requireCount(InferenceContext context) {
    context.withRank(1, 0);
    long count = context.constant(1).map(Tensor::intValue).orElse((int) Shape.UNKNOWN);
    if (context.constant(1).isPresent() && count < 0) {
      throw TributaryException.invalidArgument("input 'n' must be 0 or more, got %d", count);
    }
    return count;
  }

  private static Declaration user(String name, HandleForm form) {
    return ResourceDeclaration.user(versioned(name, form), form, "handle");
  }

  /** First in, first out. */
  public Queue fifoQueue(QueueOptions options) {
    return build(builder("FIFOQueueV2", options), options.types());
  }

  /**
   * First in, first out; sizes that {@code options} leave open may differ, and a batch is filled up
   * with zeros.
   */
  public Queue paddingFifoQueue(QueueOptions options) {
    return build(builder("PaddingFIFOQueueV2", options), options.types());
  }

  /**
   * Any element may come out next.
   *
   * @param minAfterDequeue the number of elements that a dequeue must leave in the open queue, so
   *     that they are well mixed
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
    return build(builder("PriorityQueueV2", options), types);
  }

  private Queue randomShuffleQueue(QueueOptions options, int minAfterDequeue, OptionalLong seed) {
    OpSeeds seeds = RandomOps.seeds(scope.graph(), seed);
    return build(
        builder("RandomShuffleQueueV2", options)
            .attr("min_after_dequeue", minAfterDequeue)
            .attr("seed", seeds.seed())
            .attr("seed2", seeds.seed2()),
        options.types());
  }

  private OperationBuilder builder(String op, QueueOptions options) {
    // A queue must not depend on the branch or loop in which a client happens to make it.
    return scope
        .withoutControlDependencies()
        .operation(op)
        .attr("component_types", options.types())
        .attr("shapes", options.shapes())
        .attr("capacity", options.capacity())
        .attr("shared_name", options.sharedName());
  }

  private Queue build(OperationBuilder builder, List<DataType> types) {
    return new Queue(scope.withoutName(), builder.buildOutput(), types);
  }
}
