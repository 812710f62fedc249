package dev.tributary.kernel.state;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;

/** Int32 and int64 tensors that number rows: checks, and what work on so many rows is worth. */
public final class RowIndices {
  /** Rows of so many bytes take about as long as it takes to wake a thread. */
  private static final long SHARED_BYTES = 1 << 17;

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

  /** How many rows of a size at least are worth a thread of their own. */
  static long rowsWorthSharing(long rowBytes) {
    return 1 + SHARED_BYTES / Math.max(1, rowBytes);
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
