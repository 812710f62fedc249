package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of OneHot, Where and InvertPermutation, which turn indices into positions or the
 * other way round.
 */
public final class Locating {
  private Locating() {}

  public static Shape oneHotShape(Shape indices, long depth, long axis) {
    int rank = indices.rank();
    if (axis < -1 || axis > rank) {
      throw TributaryException.invalidArgument(
          "Expected axis to be -1 or between [0, %d).  But received: %d", rank + 1, axis);
    }
    int at = axis == -1 ? rank : (int) axis;
    return indices.slice(0, at).concatenate(Shape.of(depth)).concatenate(indices.slice(at, rank));
  }

  public static void oneHot(KernelContext context, long axis) {
    Tensor indices = context.input(0);
    IndexTensors.requireScalar(context.input(1), "depth");
    IndexTensors.requireScalar(context.input(2), "on_value");
    IndexTensors.requireScalar(context.input(3), "off_value");
    long depth = context.input(1).getIndex(0);
    if (depth < 0) {
      throw TributaryException.invalidArgument("depth must be non-negative, got: %d", depth);
    }
    Shape shape = oneHotShape(indices.shape(), depth, axis);
    Tensor output = context.allocateOutput(0, shape);
    Fill.with(context.input(3), output);
    long inner = axis == -1 ? 1 : indices.shape().slice((int) axis, indices.rank()).elementCount();
    RowMove on = new RowMove(context.input(2), output, 1);
    for (long i = 0; i < indices.elementCount(); i++) {
      long index = IndexTensors.at(indices, i);
      if (index >= 0 && index < depth) {
        on.move(0, (i / inner * depth + index) * inner + i % inner);
      }
    }
  }

  /** The coordinates of all elements that are not zero, in row-major order. */
  public static void where(KernelContext context) {
    Tensor input = context.input(0);
    if (input.rank() < 1) {
      throw TributaryException.invalidArgument(
          "the input of Where must have rank 1 or more, got a scalar");
    }
    long found = 0;
    for (long i = 0; i < input.elementCount(); i++) {
      found += isZero(input, i) ? 0 : 1;
    }
    int rank = input.rank();
    long[] strides = input.shape().strides();
    long at = context.allocateOutput(0, Shape.of(found, rank)).storage().address();
    for (long i = 0; i < input.elementCount(); i++) {
      if (!isZero(input, i)) {
        long rest = i;
        for (int d = 0; d < rank; d++) {
          Memory.putLong(at, rest / strides[d]);
          rest %= strides[d];
          at += 8;
        }
      }
    }
  }

  private static boolean isZero(Tensor tensor, long i) {
    DataType type = tensor.type();
    long address = tensor.storage().address() + i * type.size();
    switch (type) {
      case FLOAT:
        return Memory.getFloat(address) == 0;
      case DOUBLE:
        return Memory.getDouble(address) == 0;
      case COMPLEX64:
        return Memory.getFloat(address) == 0 && Memory.getFloat(address + 4) == 0;
      case COMPLEX128:
        return Memory.getDouble(address) == 0 && Memory.getDouble(address + 8) == 0;
      case HALF:
      case BFLOAT16:
        return (Memory.getShort(address) & 0x7fff) == 0;
      default:
        return IndexTensors.at(tensor, i) == 0;
    }
  }

  public static void invertPermutation(KernelContext context) {
    long[] permutation = IndexTensors.vector(context.input(0), "a permutation");
    Layouts.requirePermutation(permutation);
    long[] inverse = new long[permutation.length];
    for (int i = 0; i < inverse.length; i++) {
      inverse[(int) permutation[i]] = i;
    }
    IndexTensors.setVector(context, 0, inverse);
  }
}
