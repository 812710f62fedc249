package dev.tributary.internal.kernel.array;

import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/**
 * Moves single rows of a fixed length from one tensor to another of the same type. Used by one
 * thread.
 */
public final class RowMove {
  /** Shorter rows are moved word by word: a bulk copy costs about ten nanoseconds to begin with. */
  private static final int BULK_BYTES = 48;

  private final Tensor from;
  private final Tensor to;
  private final long length;
  private final long bytes;
  private final long source;
  private final long target;
  private final boolean objects;

  public RowMove(Tensor from, Tensor to, long length) {
    this.from = from;
    this.to = to;
    this.length = length;
    this.objects = from.type().isObject();
    this.bytes = length * from.type().size();
    this.source = objects ? 0 : from.storage().address();
    this.target = objects ? 0 : to.storage().address();
  }

  /** Moves row number {@code fromRow} to row number {@code toRow}. */
  public void move(long fromRow, long toRow) {
    if (objects) {
      moveObjects((int) (fromRow * length), (int) (toRow * length));
      return;
    }
    long in = source + fromRow * bytes;
    long out = target + toRow * bytes;
    if (bytes % 4 != 0 || bytes >= BULK_BYTES) {
      Memory.copy(in, out, bytes);
      return;
    }
    for (long i = 0; i < bytes; i += 4) {
      Memory.putInt(out + i, Memory.getInt(in + i));
    }
  }

  private void moveObjects(int in, int out) {
    if (from.type() == DataType.VARIANT) {
      Variant.putAll(from.objects(), in, to.objects(), out, (int) length);
    } else {
      System.arraycopy(from.objects(), in, to.objects(), out, (int) length);
    }
  }
}
