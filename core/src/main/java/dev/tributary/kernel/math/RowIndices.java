package dev.tributary.kernel.math;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Memory;
import dev.tributary.tensor.Tensor;

/** Reads indices of all types that ops take them in. */
final class RowIndices {
  private RowIndices() {}

  static long read(Tensor indices, long i) {
    return indices.type() == DataType.INT16 ? Memory.getShort(indices.address() + 2 * i) : indices.getIndex(i);
  }
}
