package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.internal.kernel.loop.Folds;
import dev.tributary.internal.kernel.loop.Reduction;
import dev.tributary.internal.kernel.loop.ReductionShape;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** BiasAdd and its gradient. Float and double go to the backend, other types through loops. */
public final class BiasKernels {
  private static final BinaryLoop SUM =
      BinaryLoop.of()
          .floats((x, y) -> x + y)
          .doubles((x, y) -> x + y)
          .ints((x, y) -> x + y)
          .longs((x, y) -> x + y)
          .complexes(Complex::plus);

  private BiasKernels() {}

  public static Kernel add(KernelNode node) {
    String format = format(node);
    requireType(node.type());
    return c -> add(c, format);
  }

  public static Kernel gradient(KernelNode node) {
    String format = format(node);
    requireType(node.type());
    return c -> gradient(c, format);
  }

  private static void add(KernelContext context, String format) {
    Tensor value = context.input(0);
    Tensor bias = context.input(1);
    ChannelGeometry geometry = ChannelShapes.geometry(format, value.shape());
    if (bias.rank() != 1 || bias.elementCount() != geometry.channels()) {
      throw TributaryException.invalidArgument(
          "bias must be a vector with one element a channel, got shape %s for %s channels of value"
              + " %s",
          bias.shape(), geometry.channels(), value.shape());
    }
    long from = value.storage().address();
    Tensor output = context.forwardOrAllocate(0, 0, value.shape());
    if (ElementTypes.isReal(value.type())) {
      context
          .device()
          .backend()
          .biasAdd(
              value.type(), geometry, from, bias.storage().address(), output.storage().address());
      return;
    }
    Broadcast walk = Broadcast.of(shape(geometry), Shape.of(geometry.channels(), 1));
    SUM.run(value.type(), from, bias.storage().address(), output.storage().address(), walk);
  }

  private static void gradient(KernelContext context, String format) {
    Tensor gradient = context.input(0);
    ChannelGeometry geometry = ChannelShapes.geometry(format, gradient.shape());
    Tensor output = context.allocateOutput(0, Shape.of(geometry.channels()));
    if (ElementTypes.isReal(gradient.type())) {
      context
          .device()
          .backend()
          .biasAddGradient(
              gradient.type(), geometry, gradient.storage().address(), output.storage().address());
      return;
    }
    ReductionShape reduction = ReductionShape.of(shape(geometry), new long[] {0, 2}, false);
    Reduction.run(
        Folds.SUM,
        gradient.type(),
        gradient.storage().address(),
        output.storage().address(),
        reduction);
  }

  private static Shape shape(ChannelGeometry geometry) {
    return Shape.of(geometry.outer(), geometry.channels(), geometry.inner());
  }

  /** BiasAddV1 has no such attribute. */
  private static String format(KernelNode node) {
    return node.attributes().has("data_format") ? node.attributes().string("data_format") : "NHWC";
  }

  private static void requireType(DataType type) {
    if (!SUM.supports(type)) {
      throw TributaryException.unimplemented("no kernel for type %s", type.lowerName());
    }
  }
}
