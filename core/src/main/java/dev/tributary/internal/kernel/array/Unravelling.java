package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernel of UnravelIndex: the coordinates of elements that are numbered in row-major order. */
public final class Unravelling {
  private Unravelling() {}

  public static void unravel(KernelContext context) {
    Tensor indices = context.input(0);
    if (indices.rank() > 1) {
      throw TributaryException.invalidArgument(
          "The indices can only be scalar or vector, got %s", indices.shape());
    }
    if (indices.elementCount() == 0) {
      throw TributaryException.invalidArgument("received empty tensor indices");
    }
    Shape dims = Shape.of(sizes(context.input(1)));
    long count = dims.elementCount();
    Tensor output = context.allocateOutput(0, Shape.of(dims.rank()).concatenate(indices.shape()));
    long[] strides = dims.strides();
    for (long i = 0; i < indices.elementCount(); i++) {
      long rest = indices.getIndex(i);
      if (rest < 0 || rest >= count) {
        throw TributaryException.invalidArgument(
            "index is out of bound as with dims: index %d, dims %s", rest, dims);
      }
      for (int d = 0; d < strides.length; d++) {
        put(output, d * indices.elementCount() + i, rest / strides[d]);
        rest %= strides[d];
      }
    }
  }

  private static long[] sizes(Tensor dims) {
    long[] sizes = IndexTensors.vector(dims, "dims");
    for (long size : sizes) {
      if (size <= 0) {
        throw TributaryException.invalidArgument(
            "Input dims cannot contain a dim of zero or less, got %d", size);
      }
    }
    return sizes;
  }

  private static void put(Tensor output, long i, long value) {
    long address = output.storage().address() + i * output.type().size();
    if (output.type() == DataType.INT32) {
      Memory.putInt(address, (int) value);
    } else {
      Memory.putLong(address, value);
    }
  }
}
