package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The kernels of Transpose, Tile, BroadcastTo and ReverseV2, and their shape arithmetic. */
public final class Layouts {
  private static final UnaryLoop CONJUGATE = UnaryLoop.of().complexes(Complex::conjugate);

  private Layouts() {}

  /** Checks that these are the numbers from 0 to n - 1 in some order. */
  public static void requirePermutation(long[] permutation) {
    boolean[] seen = new boolean[permutation.length];
    for (long dimension : permutation) {
      if (dimension < 0 || dimension >= seen.length) {
        throw TributaryException.invalidArgument(
            "%d is out of range [0 .. %d)", dimension, seen.length);
      }
      if (seen[(int) dimension]) {
        throw TributaryException.invalidArgument(
            "%d is duplicated in the permutation %s", dimension, Arrays.toString(permutation));
      }
      seen[(int) dimension] = true;
    }
  }

  public static Shape transposed(Shape input, long[] permutation) {
    if (permutation.length != input.rank()) {
      throw TributaryException.invalidArgument(
          "transpose expects a vector of size %d. But input(1) is a vector of size %d",
          input.rank(), permutation.length);
    }
    requirePermutation(permutation);
    long[] sizes = new long[permutation.length];
    Arrays.setAll(sizes, i -> input.size((int) permutation[i]));
    return Shape.of(sizes);
  }

  public static void transpose(KernelContext context) {
    Tensor input = context.input(0);
    long[] permutation = IndexTensors.vector(context.input(1), "perm");
    Shape shape = transposed(input.shape(), permutation);
    if (keepsOrder(shape, permutation)) {
      context.setOutput(0, input.withShape(shape));
      return;
    }
    copyTransposed(input, permutation, context.allocateOutput(0, shape));
  }

  /** Transposes, and conjugates complex elements. */
  public static void conjugateTranspose(KernelContext context) {
    Tensor input = context.input(0);
    if (!input.type().isComplex()) {
      transpose(context);
      return;
    }
    long[] permutation = IndexTensors.vector(context.input(1), "perm");
    Tensor output = context.allocateOutput(0, transposed(input.shape(), permutation));
    copyTransposed(input, permutation, output);
    long address = output.storage().address();
    CONJUGATE.run(output.type(), address, address, output.elementCount());
  }

  private static void copyTransposed(Tensor input, long[] permutation, Tensor output) {
    Shape shape = output.shape();
    long[] strides = input.shape().strides();
    long[] from = new long[strides.length];
    Arrays.setAll(from, i -> strides[(int) permutation[i]]);
    Moves.copy(shape.toArray(), input, 0, from, output, 0, shape.strides());
  }

  /**
   * Returns whether the dimensions of more than one element keep their order, so that no element
   * moves.
   */
  private static boolean keepsOrder(Shape shape, long[] permutation) {
    long last = -1;
    for (int i = 0; i < permutation.length; i++) {
      if (shape.size(i) > 1) {
        if (permutation[i] < last) {
          return false;
        }
        last = permutation[i];
      }
    }
    return true;
  }

  public static Shape tiled(Shape input, long[] multiples) {
    if (multiples.length != input.rank()) {
      throw TributaryException.invalidArgument(
          "Expected multiples argument to be a vector of length %d but got length %d",
          input.rank(), multiples.length);
    }
    long[] sizes = new long[multiples.length];
    for (int i = 0; i < sizes.length; i++) {
      if (multiples[i] < 0) {
        throw TributaryException.invalidArgument(
            "Expected multiples[%d] >= 0, but got %d", i, multiples[i]);
      }
      sizes[i] = input.size(i) == Shape.UNKNOWN ? Shape.UNKNOWN : input.size(i) * multiples[i];
    }
    return Shape.of(sizes);
  }

  public static void tile(KernelContext context) {
    Tensor input = context.input(0);
    long[] multiples = IndexTensors.vector(context.input(1), "multiples");
    Shape shape = tiled(input.shape(), multiples);
    if (shape.equals(input.shape())) {
      context.setOutput(0, input.retain());
      return;
    }
    int rank = multiples.length;
    long[] inputStrides = input.shape().strides();
    long[] outputStrides = shape.strides();
    long[] sizes = new long[2 * rank];
    long[] from = new long[2 * rank];
    long[] to = new long[2 * rank];
    for (int i = 0; i < rank; i++) {
      sizes[2 * i] = multiples[i];
      to[2 * i] = input.shape().size(i) * outputStrides[i];
      sizes[2 * i + 1] = input.shape().size(i);
      from[2 * i + 1] = inputStrides[i];
      to[2 * i + 1] = outputStrides[i];
    }
    Moves.copy(sizes, input, 0, from, context.allocateOutput(0, shape), 0, to);
  }

  /** Checks that a tensor of one shape broadcasts to exactly another one. */
  public static void requireBroadcast(Shape input, Shape wanted) {
    if (input.rank() > wanted.rank()) {
      throw TributaryException.invalidArgument(
          "Rank of input (%d) must be no greater than rank of output shape (%d).",
          input.rank(), wanted.rank());
    }
    if (!Broadcast.shape(input, wanted).isCompatibleWith(wanted)) {
      throw TributaryException.invalidArgument(
          "Unable to broadcast tensor of shape %s to tensor of shape %s", input, wanted);
    }
  }

  public static void broadcast(KernelContext context) {
    Tensor input = context.input(0);
    Shape shape = IndexTensors.toShape(context.input(1));
    requireBroadcast(input.shape(), shape);
    if (shape.equals(input.shape())) {
      context.setOutput(0, input.retain());
      return;
    }
    long[] strides = input.shape().strides();
    long[] from = new long[shape.rank()];
    int missing = from.length - strides.length;
    for (int i = 0; i < strides.length; i++) {
      from[missing + i] = input.shape().size(i) == 1 ? 0 : strides[i];
    }
    Moves.copy(
        shape.toArray(), input, 0, from, context.allocateOutput(0, shape), 0, shape.strides());
  }

  public static void reverse(KernelContext context) {
    Tensor input = context.input(0);
    Shape shape = input.shape();
    boolean[] turned = turned(shape.rank(), IndexTensors.vector(context.input(1), "axis"));
    long[] from = shape.strides();
    long offset = 0;
    for (int i = 0; i < from.length; i++) {
      if (turned[i]) {
        offset += (shape.size(i) - 1) * from[i];
        from[i] = -from[i];
      }
    }
    Moves.copy(
        shape.toArray(), input, offset, from, context.allocateOutput(0, shape), 0, shape.strides());
  }

  private static boolean[] turned(int rank, long[] axes) {
    boolean[] turned = new boolean[rank];
    for (long axis : axes) {
      int at = Axes.resolve(axis, rank);
      if (turned[at]) {
        throw TributaryException.invalidArgument("axis %d specified more than once.", at);
      }
      turned[at] = true;
    }
    return turned;
  }
}
