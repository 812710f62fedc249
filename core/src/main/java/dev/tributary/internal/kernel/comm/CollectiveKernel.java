package dev.tributary.internal.kernel.comm;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.kernel.CollectiveExecutor;
import dev.tributary.internal.kernel.CollectiveKind;
import dev.tributary.internal.kernel.CollectiveReduction;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.RingCut;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Takes part in a collective of the step for the node's device. The step's executor does the work;
 * this reads attributes and inputs, and makes the output.
 */
public final class CollectiveKernel implements AsyncKernel {
  /** Smaller results get memory of their own, which allows faster algorithms. */
  private static final long LEAST_IN_PLACE = 1 << 20;

  /** The tensors of a call, in which the kinds of collective differ. */
  private interface Operands {
    Taken take(KernelContext context, int groupSize);
  }

  /**
   * The tensors of a call, with references of its own.
   *
   * @param shape of what the members bring or, in a broadcast, get
   */
  private record Taken(Shape shape, Optional<Tensor> input, Tensor output) {}

  private final KernelNode node;
  private final CollectiveKind kind;
  private final boolean isSource;
  private final CollectiveKeys keys;
  private final Operands operands;
  private final CollectiveReduction reduction;
  private final RingCut cut;
  private final Optional<Duration> timeout;

  private CollectiveKernel(
      KernelNode node,
      CollectiveKind kind,
      boolean isSource,
      CollectiveKeys keys,
      Operands operands) {
    this.node = node;
    this.kind = kind;
    this.isSource = isSource;
    this.keys = keys;
    this.operands = operands;
    this.reduction = reduction(node.attributes());
    this.cut = cut(node.attributes());
    this.timeout = timeout(node.attributes().real("timeout_seconds"));
  }

  public static KernelFactory reduce() {
    return of(CollectiveKind.REDUCE, CollectiveKernel::inPlace);
  }

  public static KernelFactory gather() {
    return of(CollectiveKind.GATHER, CollectiveKernel::allRows);
  }

  public static KernelFactory allToAll() {
    return of(CollectiveKind.ALL_TO_ALL, CollectiveKernel::sameRows);
  }

  public static KernelFactory reduceScatter() {
    return of(CollectiveKind.REDUCE_SCATTER, CollectiveKernel::rowsOfOne);
  }

  public static KernelFactory broadcastSend() {
    return node ->
        new CollectiveKernel(
            node, CollectiveKind.BROADCAST, true, keys(node, 1), CollectiveKernel::sent);
  }

  public static KernelFactory broadcastRecv() {
    return node -> {
      Function<KernelContext, Shape> shape =
          hasKeysInAttributes(node)
              ? context -> node.attributes().shape("shape")
              : context -> IndexTensors.toShape(context.input(3));
      return new CollectiveKernel(
          node,
          CollectiveKind.BROADCAST,
          false,
          keys(node, 0),
          (context, groupSize) -> received(context, shape.apply(context)));
    };
  }

  private static KernelFactory of(CollectiveKind kind, Operands operands) {
    return node -> new CollectiveKernel(node, kind, false, keys(node, 1), operands);
  }

  private static CollectiveKeys keys(KernelNode node, int firstInput) {
    return hasKeysInAttributes(node)
        ? CollectiveKeys.ofAttributes(node)
        : CollectiveKeys.ofInputs(firstInput);
  }

  private static boolean hasKeysInAttributes(KernelNode node) {
    return node.attributes().has("group_key");
  }

  @Override
  public void computeAsync(KernelContext context, Completion done) {
    CollectiveCall.Keys called = keys.of(context);
    requireShape(context);
    Taken taken = operands.take(context, called.groupSize());
    CollectiveCall call =
        new CollectiveCall(
            node.name(),
            kind,
            called,
            node.type(),
            taken.shape(),
            reduction,
            cut,
            isSource,
            timeout,
            context.device(),
            node.functions().pool(),
            taken.input(),
            taken.output());
    context
        .step()
        .collectives()
        .run(
            call,
            context.step().cancellation(),
            new CollectiveExecutor.Completion() {
              @Override
              public void succeed(Tensor result) {
                context.setOutput(0, result);
                done.succeed();
              }

              @Override
              public void fail(RuntimeException failure) {
                done.fail(failure);
              }
            });
  }

  /** The first form of the send says what shape it sends. */
  private void requireShape(KernelContext context) {
    if (isSource && node.attributes().has("shape")) {
      Shape wanted = node.attributes().shape("shape");
      if (!wanted.isCompatibleWith(context.input(0).shape())) {
        throw TributaryException.invalidArgument(
            "the value to send has shape %s, attribute 'shape' is %s",
            context.input(0).shape(), wanted);
      }
    }
  }

  private static Taken inPlace(KernelContext context, int groupSize) {
    Tensor input = context.input(0);
    Shape shape = input.shape();
    Tensor output =
        input.byteSize() >= LEAST_IN_PLACE && context.canForward(0, 0, shape)
            ? input.retain()
            : context.allocate(input.type(), shape);
    return new Taken(shape, Optional.of(context.takeInput(0)), output);
  }

  /** All members' values, one below the other. */
  private static Taken allRows(KernelContext context, int groupSize) {
    Shape shape = context.input(0).shape();
    requireRows(shape);
    return fresh(context, shape, shape.withSize(0, shape.size(0) * groupSize));
  }

  private static Taken sameRows(KernelContext context, int groupSize) {
    Shape shape = context.input(0).shape();
    requireParts(shape, groupSize);
    return fresh(context, shape, shape);
  }

  private static Taken rowsOfOne(KernelContext context, int groupSize) {
    Shape shape = context.input(0).shape();
    requireParts(shape, groupSize);
    return fresh(context, shape, shape.withSize(0, shape.size(0) / groupSize));
  }

  private static Taken sent(KernelContext context, int groupSize) {
    Tensor value = context.takeInput(0);
    return new Taken(value.shape(), Optional.empty(), value);
  }

  private static Taken received(KernelContext context, Shape shape) {
    return new Taken(shape, Optional.empty(), context.allocate(context.outputType(0), shape));
  }

  private static Taken fresh(KernelContext context, Shape shape, Shape result) {
    Tensor output = context.allocate(context.outputType(0), result);
    return new Taken(shape, Optional.of(context.takeInput(0)), output);
  }

  private static void requireRows(Shape shape) {
    if (shape.isScalar()) {
      throw TributaryException.invalidArgument("the input must have rank 1 or more, got a scalar");
    }
  }

  private static void requireParts(Shape shape, int groupSize) {
    requireRows(shape);
    if (shape.size(0) % groupSize != 0) {
      throw TributaryException.invalidArgument(
          "the first dimension of %s cannot be divided among the %d members of the group",
          shape, groupSize);
    }
  }

  private static CollectiveReduction reduction(Attributes attributes) {
    return attributes.has("merge_op")
        ? CollectiveReduction.of(attributes.string("merge_op"), attributes.string("final_op"))
        : CollectiveReduction.NONE;
  }

  private static RingCut cut(Attributes attributes) {
    if (attributes.has("subdiv_offsets")) {
      List<Integer> offsets =
          Arrays.stream(attributes.integers("subdiv_offsets")).mapToObj(Math::toIntExact).toList();
      return new RingCut(offsets, 0);
    }
    return attributes.has("max_subdivs_per_device")
        ? new RingCut(List.of(), attributes.int32("max_subdivs_per_device"))
        : RingCut.SINGLE;
  }

  private static Optional<Duration> timeout(float seconds) {
    return seconds > 0 ? Optional.of(Duration.ofMillis((long) (seconds * 1000))) : Optional.empty();
  }
}
