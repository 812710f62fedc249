package dev.tributary.internal.gradient;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Makes dense tensors of gradients that are slices, or nothing. */
public final class Dense {
  private Dense() {}

  /**
   * A gradient as one tensor: slices added into zeros, and zeros in place of none, if the type has
   * a gradient at all.
   */
  public static GradientValue orZeros(Scope scope, GradientValue value, Output output) {
    if (value instanceof GradientValue.None) {
      return hasZeros(output.type()) ? zeros(scope, output, output.type()) : value;
    }
    return of(scope, value);
  }

  /** Returns whether a value of this type has a gradient that is a value of this type. */
  public static boolean hasZeros(DataType type) {
    return type.isFloating() || type.isComplex() || type == DataType.VARIANT;
  }

  public static Output of(Scope scope, GradientValue value) {
    if (value instanceof Output) {
      return (Output) value;
    }
    IndexedSlices slices = (IndexedSlices) value;
    Output rows =
        scope
            .operation("StridedSlice")
            .input(slices.denseShape())
            .input(constant(scope, Tensor.of(0)))
            .input(constant(scope, Tensor.of(1)))
            .input(constant(scope, Tensor.of(1)))
            .attr("shrink_axis_mask", 1)
            .buildOutput();
    return scope
        .operation("UnsortedSegmentSum")
        .input(slices.values())
        .input(slices.indices())
        .input(rows)
        .buildOutput();
  }

  /**
   * Zeros for the gradient of {@code output}: a value, or the handle of a variable. Inside a loop a
   * known shape is used in place of the value, which would otherwise be kept from the forward loop
   * only for its shape.
   */
  public static Output zeros(Scope scope, Output output, DataType type) {
    boolean isHandle = output.type() == DataType.RESOURCE;
    Shape shape = isHandle ? output.operation().handleShape(output.index()) : output.shape();
    boolean isVariant = output.type() == DataType.VARIANT;
    boolean useShape = !isVariant && (isHandle || scope.flowContext().isPresent());
    if (!useShape || (!isHandle && !shape.isFullyDefined())) {
      return scope.operation("ZerosLike").input(output).buildOutput();
    }
    Output sizes =
        shape.isFullyDefined()
            ? constant(scope, Tensor.of(toInts(shape)))
            : scope.operation("VariableShape").input(output).buildOutput();
    Output zero = constant(scope, Tensor.zeros(type, Shape.scalar()));
    return scope.operation("Fill").input(sizes).input(zero).buildOutput();
  }

  /** A constant, which takes over the tensor. */
  public static Output constant(Scope scope, Tensor value) {
    return scope
        .operation("Const")
        .attrTaking("value", value)
        .attr("dtype", value.type())
        .buildOutput();
  }

  private static int[] toInts(Shape shape) {
    int[] sizes = new int[shape.rank()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = Math.toIntExact(shape.size(i));
    }
    return sizes;
  }
}
