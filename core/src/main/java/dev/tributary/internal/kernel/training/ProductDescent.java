package dev.tributary.internal.kernel.training;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.math.MatMulKernel;
import dev.tributary.internal.kernel.state.VariableInput;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Gradient descent by a gradient that is a product of matrices: {@code var -= alpha * a * b}, as a
 * product that is accumulated in the variable. The gradient itself, as large as the variable, is
 * neither written nor read. Inputs are the variable, alpha, a and b, all floats.
 */
public final class ProductDescent implements Kernel {
  private static final DataType TYPE = DataType.FLOAT;

  private final VariableInput variables;
  private final boolean transposeA;
  private final boolean transposeB;

  public ProductDescent(KernelNode node, VariableInput variables) {
    this.variables = variables;
    this.transposeA = node.attributes().bool("transpose_a");
    this.transposeB = node.attributes().bool("transpose_b");
  }

  @Override
  public void compute(KernelContext context) {
    VariableResource variable = variables.variable(context, 0, TYPE);
    Tensor alpha = context.input(1);
    if (alpha.rank() != 0) {
      throw TributaryException.invalidArgument("alpha is not a scalar: %s", alpha.shape());
    }
    Tensor a = context.input(2);
    Tensor b = context.input(3);
    GemmGeometry product = MatMulKernel.geometry(a, transposeA, b, transposeB);
    boolean scalesA = a.elementCount() < b.elementCount();
    try (Tensor scaled = scaled(context, scalesA ? a : b, -alpha.floatValue());
        VariableResource.Locked locked = VariableResource.lock(variable)) {
      requireShape(locked.value(variable).shape(), Shape.of(product.m(), product.n()));
      if (scaled.elementCount() > 0) {
        context
            .device()
            .backend()
            .gemm(
                product.accumulating(),
                (scalesA ? scaled : a).storage().address(),
                (scalesA ? b : scaled).storage().address(),
                locked.writable(variable, context.allocator()).storage().address());
      }
    }
    variables.passOn(context, variable);
  }

  /** The smaller one of the two matrices is scaled: it costs least there. */
  private static Tensor scaled(KernelContext context, Tensor matrix, float factor) {
    Tensor result = context.allocate(TYPE, matrix.shape());
    try (Tensor scalar = context.allocate(TYPE, Shape.scalar())) {
      Memory.putFloat(scalar.storage().address(), factor);
      Arithmetic.MULTIPLY.run(
          TYPE,
          matrix.storage().address(),
          scalar.storage().address(),
          result.storage().address(),
          Broadcast.of(matrix.shape(), Shape.scalar()));
    }
    return result;
  }

  private static void requireShape(Shape variable, Shape gradient) {
    if (!variable.equals(gradient)) {
      throw TributaryException.invalidArgument(
          "var and delta do not have the same shape: %s and %s", variable, gradient);
    }
  }
}
