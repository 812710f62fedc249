package dev.tributary.kernel.state;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;

/** Checks of int32 and int64 tensors that number rows. */
public final class RowIndices {
  private RowIndices() {}

  /** Fails unless all indices are in [0, limit). */
  public static void requireInRange(Tensor indices, long limit) {
    for (long i = 0; i < indices.elementCount(); i++) {
      long index = indices.getIndex(i);
      if (index < 0 || index >= limit) {
        throw TributaryException.invalidArgument(
            "indices%s = %d is not in [0, %d)", coordinates(indices, i), index, limit);
      }
    }
  }

  private static String coordinates(Tensor indices, long position) {
    StringBuilder text = new StringBuilder();
    long rest = position;
    for (long stride : indices.shape().strides()) {
      text.append(text.isEmpty() ? "" : ",").append(rest / stride);
      rest %= stride;
    }
    return text.isEmpty() ? "" : "[" + text + "]";
  }
}
