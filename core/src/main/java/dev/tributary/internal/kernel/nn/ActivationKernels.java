package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.BinaryKernel;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Kernels of activations that are more than a function of an element. */
public final class ActivationKernels {
  private ActivationKernels() {}

  /** A function of a gradient and of a feature or output of the same shape. */
  public static KernelFactory gradient(BinaryLoop loop) {
    KernelFactory pairs = BinaryKernel.of(loop);
    return node -> ofSameShape(pairs.create(node));
  }

  /** The gradient of the rectifier; that of floats is computed on their bits. */
  public static KernelFactory reluGradient() {
    KernelFactory pairs = BinaryKernel.of(ActivationLoops.RELU_GRADIENT);
    return node ->
        ofSameShape(
            node.type() == DataType.FLOAT
                ? BinaryKernel.ofBits(ActivationLoops.RELU_GRADIENT_BITS, DataType.INT32)
                : pairs.create(node));
  }

  private static Kernel ofSameShape(Kernel kernel) {
    return c -> {
      sameShape(c);
      kernel.compute(c);
    };
  }

  /** The rectifier whose slope is attribute {@code alpha} below 0. */
  public static KernelFactory leakyRelu() {
    return node -> {
      DataType type = node.type();
      ElementTypes.requireReal(type);
      float alpha = node.attributes().real("alpha");
      return c ->
          withAlpha(
              c,
              ActivationLoops.LEAKY_RELU,
              alpha,
              c.input(0),
              c.allocateOutput(0, c.input(0).shape()));
    };
  }

  public static KernelFactory leakyReluGradient() {
    return node -> {
      DataType type = node.type();
      ElementTypes.requireReal(type);
      float alpha = node.attributes().real("alpha");
      return c -> {
        Shape shape = sameShape(c);
        Tensor out = c.allocateOutput(0, shape);
        withAlpha(c, ActivationLoops.LEAKY_RELU_SLOPE, alpha, c.input(1), out);
        long gradients = c.input(0).storage().address();
        ActivationLoops.PRODUCT.run(
            type,
            gradients,
            out.storage().address(),
            out.storage().address(),
            Broadcast.of(shape, shape));
      };
    };
  }

  /**
   * The attribute is an operand: a loop that captured it would have to be stamped again for each
   * node.
   */
  private static void withAlpha(
      KernelContext context, BinaryLoop loop, float value, Tensor x, Tensor out) {
    DataType type = x.type();
    try (Tensor alpha = context.allocate(type, Shape.scalar())) {
      if (type == DataType.DOUBLE) {
        Memory.putDouble(alpha.storage().address(), value);
      } else {
        Memory.putFloat(alpha.storage().address(), value);
      }
      loop.run(
          type,
          x.storage().address(),
          alpha.storage().address(),
          out.storage().address(),
          Broadcast.of(x.shape(), Shape.scalar()));
    }
  }

  private static Shape sameShape(KernelContext context) {
    Shape shape = context.input(0).shape();
    if (!shape.equals(context.input(1).shape())) {
      throw TributaryException.invalidArgument(
          "both inputs must have the same shape, got %s and %s", shape, context.input(1).shape());
    }
    return shape;
  }
}
