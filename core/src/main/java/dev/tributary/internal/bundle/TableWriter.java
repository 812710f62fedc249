package dev.tributary.internal.bundle;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.MaskedCrc;
import dev.tributary.internal.file.PartFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes a sorted table, byte for byte as stock TensorFlow does. The file stays the caller's.
 * Confined to one thread.
 */
final class TableWriter {
  static final long MAGIC = 0xdb4775248b80fb57L;
  static final int FOOTER_BYTES = 48;
  static final int TRAILER_BYTES = 5;

  private static final int BLOCK_BYTES = 256 << 10;
  private static final int RESTART_INTERVAL = 16;

  private final PartFile file;
  private final BlockBuilder index = new BlockBuilder(1);
  private BlockBuilder data = new BlockBuilder(RESTART_INTERVAL);

  /** The block that was written last; its entry in the index waits for the next key. */
  private BlockHandle pending;

  private byte[] lastKey = new byte[0];

  TableWriter(PartFile file) {
    this.file = file;
  }

  /** Adds an entry, whose key must come after all before. */
  void add(byte[] key, byte[] value) {
    boolean isFirst = pending == null && data.isEmpty();
    if (!isFirst && Arrays.compareUnsigned(lastKey, key) >= 0) {
      throw TributaryException.internal("keys of a table must ascend");
    }
    if (key.length + value.length >= 2 * BLOCK_BYTES) {
      flush();
    }
    if (data.isEmpty() && pending != null) {
      index.add(separator(lastKey, key), pending.toBytes());
    }
    data.add(key, value);
    lastKey = key;
    if (data.size() >= BLOCK_BYTES) {
      flush();
    }
  }

  /** Writes what is left, and the end of the table. */
  void finish() {
    flush();
    BlockHandle filters = write(new BlockBuilder(RESTART_INTERVAL));
    if (pending != null) {
      index.add(successor(lastKey), pending.toBytes());
    }
    BlockHandle indexHandle = write(index);
    ByteBuffer footer = ByteBuffer.allocate(FOOTER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    footer.put(filters.toBytes()).put(indexHandle.toBytes());
    footer.putLong(FOOTER_BYTES - Long.BYTES, MAGIC);
    file.write(footer.rewind());
  }

  private void flush() {
    if (!data.isEmpty()) {
      pending = write(data);
      data = new BlockBuilder(RESTART_INTERVAL);
    }
  }

  private BlockHandle write(BlockBuilder builder) {
    byte[] content = builder.finish();
    BlockHandle handle = new BlockHandle(file.size(), content.length);
    ByteBuffer block =
        ByteBuffer.allocate(content.length + TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    block.put(content).put((byte) 0);
    block.putInt(MaskedCrc.of(block.duplicate().flip()));
    file.write(block.flip());
    return handle;
  }

  /** A short key that is not below {@code last} and below {@code next}. */
  private static byte[] separator(byte[] last, byte[] next) {
    int difference = Arrays.mismatch(last, next);
    if (difference < last.length) {
      int changed = Byte.toUnsignedInt(last[difference]) + 1;
      if (changed < Byte.toUnsignedInt(next[difference])) {
        return cut(last, difference, changed);
      }
    }
    return last;
  }

  /** A short key that is not below {@code key}. */
  private static byte[] successor(byte[] key) {
    for (int i = 0; i < key.length; i++) {
      if (key[i] != (byte) 0xff) {
        return cut(key, i, Byte.toUnsignedInt(key[i]) + 1);
      }
    }
    return key;
  }

  private static byte[] cut(byte[] key, int last, int value) {
    byte[] shorter = Arrays.copyOf(key, last + 1);
    shorter[last] = (byte) value;
    return shorter;
  }
}
