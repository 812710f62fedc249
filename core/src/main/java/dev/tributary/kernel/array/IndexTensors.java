package dev.tributary.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.KernelContext;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Small int32 or int64 tensors that hold sizes, axes and indices. */
public final class IndexTensors {
  private IndexTensors() {}

  /** Sets output {@code i} to a vector of the given values, in the output's type. */
  public static void setVector(KernelContext context, int i, long... values) {
    write(context.allocateOutput(i, Shape.of(values.length)), values);
  }

  public static void setScalar(KernelContext context, int i, long value) {
    write(context.allocateOutput(i, Shape.scalar()), value);
  }

  /** The value of a scalar int32 or int64 tensor. */
  public static long scalar(Tensor tensor, String what) {
    if (tensor.elementCount() != 1) {
      throw TributaryException.invalidArgument("%s must have one element, got shape %s", what, tensor.shape());
    }
    return tensor.getIndex(0);
  }

  public static void requireScalar(Tensor tensor, String what) {
    if (tensor.rank() != 0) {
      throw TributaryException.invalidArgument("%s must be a scalar, got shape %s", what, tensor.shape());
    }
  }

  /** The sizes that a vector of type int32 or int64 holds, as a shape; none may be negative. */
  public static Shape toShape(Tensor sizes) {
    if (sizes.rank() > 1) {
      throw TributaryException.invalidArgument("a shape must be a vector, got shape %s", sizes.shape());
    }
    long[] values = sizes.toIndices();
    for (int i = 0; i < values.length; i++) {
      if (values[i] < 0) {
        throw TributaryException.invalidArgument("size %d of a shape must not be negative, got %d", i, values[i]);
      }
    }
    return Shape.of(values);
  }

  private static void write(Tensor target, long... values) {
    boolean narrow = target.type() == DataType.INT32;
    for (int i = 0; i < values.length; i++) {
      if (!narrow) {
        Memory.putLong(target.address() + 8L * i, values[i]);
      } else if ((int) values[i] == values[i]) {
        Memory.putInt(target.address() + 4L * i, (int) values[i]);
      } else {
        throw TributaryException.invalidArgument("%d does not fit into int32; ask for int64", values[i]);
      }
    }
  }
}
