package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of Diag and DiagPart: a tensor as the diagonal of one with all its dimensions twice.
 */
public final class TensorDiagonals {
  private TensorDiagonals() {}

  public static void diag(KernelContext context) {
    Tensor diagonal = context.input(0);
    Shape shape = diagonal.shape();
    if (shape.rank() < 1) {
      throw TributaryException.invalidArgument("Input must be at least rank 1, got 0");
    }
    Tensor output = context.allocateOutput(0, shape.concatenate(shape));
    Fill.zeros(output);
    long count = diagonal.elementCount();
    Moves.rows(count, 1, diagonal, 0, 1, output, 0, count + 1);
  }

  public static void part(KernelContext context) {
    Tensor input = context.input(0);
    Shape shape = half(input.shape());
    long count = shape.elementCount();
    Moves.rows(count, 1, input, 0, count + 1, context.allocateOutput(0, shape), 0, 1);
  }

  /** The first half of the dimensions, which must be compatible with the second. */
  public static Shape half(Shape shape) {
    int rank = shape.rank();
    if (rank % 2 != 0 || rank == 0) {
      throw TributaryException.invalidArgument(
          "The rank of the tensor should be even and positive, got shape %s", shape);
    }
    Shape first = shape.slice(0, rank / 2);
    Shape second = shape.slice(rank / 2, rank);
    if (!first.isCompatibleWith(second)) {
      throw TributaryException.invalidArgument(
          "Invalid shape %s: dimensions %s and %s do not match.", shape, first, second);
    }
    return first.merge(second);
  }
}
