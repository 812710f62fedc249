package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of Slice, StridedSlice and the latter's gradient. */
public final class Slicing {
  private Slicing() {}

  /**
   * The sizes of a Slice, where -1 is filled in with what is left behind {@code begin}; fails if it
   * does not fit.
   */
  public static Shape sliced(Shape input, long[] begin, long[] size) {
    int rank = input.rank();
    if (begin.length != rank || size.length != rank) {
      throw TributaryException.invalidArgument(
          "Expected begin and size arguments to be 1-D tensors of size %d, but got %d and %d"
              + " elements instead.",
          rank, begin.length, size.length);
    }
    long[] sizes = new long[rank];
    for (int i = 0; i < rank; i++) {
      sizes[i] = sliced(i, input.size(i), begin[i], size[i]);
    }
    return Shape.of(sizes);
  }

  private static long sliced(int i, long available, long begin, long size) {
    if (available == Shape.UNKNOWN) {
      return size;
    }
    if (begin < 0 || begin > available) {
      throw TributaryException.invalidArgument(
          "Expected begin[%d] in [0, %d], but got %d", i, available, begin);
    }
    long taken = size == -1 ? available - begin : size;
    if (taken < 0 || taken > available - begin) {
      throw TributaryException.invalidArgument(
          "Expected size[%d] in [0, %d], but got %d", i, available - begin, size);
    }
    return taken;
  }

  public static void slice(KernelContext context) {
    Tensor input = context.input(0);
    long[] begin = IndexTensors.vector(context.input(1), "begin");
    Shape shape = sliced(input.shape(), begin, IndexTensors.vector(context.input(2), "size"));
    if (shape.equals(input.shape())) {
      context.setOutput(0, input.retain());
      return;
    }
    long[] strides = input.shape().strides();
    Moves.copy(
        shape.toArray(),
        input,
        offset(begin, strides),
        strides,
        context.allocateOutput(0, shape),
        0,
        shape.strides());
  }

  public static void strided(KernelContext context, SliceSpec.Masks masks) {
    Tensor input = context.input(0);
    SliceSpec spec = spec(context, input.shape(), masks);
    Shape result = spec.result();
    if (spec.isWhole()) {
      context.setOutput(0, input.withShape(result));
      return;
    }
    Tensor output = context.allocateOutput(0, result);
    Moves.copy(
        spec.sizes(),
        input,
        spec.offset(),
        spec.steps(),
        output,
        0,
        Shape.of(spec.sizes()).strides());
  }

  /**
   * Puts input 4 where a StridedSlice would have taken it from, into zeros of the shape that input
   * 0 gives.
   */
  public static void stridedGradient(KernelContext context, SliceSpec.Masks masks) {
    IndexTensors.vector(context.input(0), "shape");
    Shape shape = IndexTensors.toShape(context.input(0));
    SliceSpec spec = spec(context, shape, masks);
    Tensor dy = context.input(4);
    if (!dy.shape().equals(spec.result())) {
      throw TributaryException.invalidArgument(
          "shape of dy was %s instead of %s", dy.shape(), spec.result());
    }
    if (spec.isWhole()) {
      context.setOutput(0, dy.withShape(shape));
      return;
    }
    Tensor output = context.allocateOutput(0, shape);
    Fill.zeros(output);
    put(dy, output, spec);
  }

  /** Inputs: a tensor, of which the output is a copy with input 4 in place of a slice. */
  public static void stridedUpdate(KernelContext context, SliceSpec.Masks masks) {
    Tensor tensor = context.input(0);
    SliceSpec spec = spec(context, tensor.shape(), masks);
    requireValue(context.input(4), spec);
    Tensor output = context.forwardOrAllocate(0, 0, tensor.shape());
    if (!output.sharesStorageWith(tensor)) {
      Moves.rows(1, tensor.elementCount(), tensor, 0, 0, output, 0, 0);
    }
    put(context.input(4), output, spec);
  }

  /** Fails unless a value has the shape of the slice that it is to replace. */
  public static void requireValue(Tensor value, SliceSpec spec) {
    Shape slice = spec.result();
    if (slice.elementCount() > 0 && !value.shape().equals(slice)) {
      throw TributaryException.unimplemented(
          "sliced l-value shape %s does not match r-value shape %s. Automatic broadcasting not yet"
              + " implemented.",
          slice, value.shape());
    }
  }

  /** Puts a value in place of a slice of a tensor. */
  public static void put(Tensor value, Tensor target, SliceSpec spec) {
    if (spec.result().elementCount() == 0) {
      return;
    }
    Moves.copy(
        spec.sizes(),
        value,
        0,
        Shape.of(spec.sizes()).strides(),
        target,
        spec.offset(),
        spec.steps());
  }

  /** The slice of a tensor of this shape that inputs 1 to 3 describe. */
  public static SliceSpec spec(KernelContext context, Shape shape, SliceSpec.Masks masks) {
    long[] begin = IndexTensors.vector(context.input(1), "begin");
    long[] end = IndexTensors.vector(context.input(2), "end");
    return SliceSpec.of(shape, begin, end, IndexTensors.vector(context.input(3), "strides"), masks);
  }

  private static long offset(long[] begin, long[] strides) {
    long offset = 0;
    for (int i = 0; i < begin.length; i++) {
      offset += begin[i] * strides[i];
    }
    return offset;
  }
}
