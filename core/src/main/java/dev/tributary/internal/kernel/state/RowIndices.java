package dev.tributary.internal.kernel.state;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Int32 and int64 tensors that number rows: checks, and what work on so many rows is worth. */
public final class RowIndices {
  /**
   * So many bytes are worth a thread. With fewer, what a thread spares costs the next kernel more:
   * it changes rows that lie in the caches of both cores. 4096 rows of 256 bytes (JDK 17, AMD EPYC,
   * 2 cores, 2026-11-16): gather and scatter take 265 and 380 us on one thread, 300 and 540 on two.
   */
  private static final long SHARED_BYTES = 1 << 20;

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

  /** Reads {@code count} indices from {@code first} on. */
  static void read(Tensor indices, long first, long[] to, int count) {
    boolean isInt = indices.type() == DataType.INT32;
    long from = indices.storage().address() + first * indices.type().size();
    for (int i = 0; i < count; i++) {
      to[i] = isInt ? Memory.getInt(from + 4L * i) : Memory.getLong(from + 8L * i);
    }
  }

  /** Returns how many rows of a size at least are worth a thread of their own. */
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
