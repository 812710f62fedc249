package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Reads indices of all types that ops take them in. */
final class RowIndices {
  private RowIndices() {}

  static long read(Tensor indices, long i) {
    return indices.type() == DataType.INT16
        ? Memory.getShort(indices.storage().address() + 2 * i)
        : indices.getIndex(i);
  }

  /** Index i, which must point to one of {@code limit} rows. */
  static long inRange(Tensor indices, long i, long limit) {
    long index = indices.getIndex(i);
    if (index < 0 || index >= limit) {
      throw TributaryException.invalidArgument(
          "indices[%d] == %d out of range [0, %d)", i, index, limit);
    }
    return index;
  }
}
