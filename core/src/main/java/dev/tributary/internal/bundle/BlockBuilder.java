package dev.tributary.internal.bundle;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Packs the entries of one block of a table. Confined to one thread. */
final class BlockBuilder {
  private final int restartInterval;
  private final ByteArrayOutputStream entries = new ByteArrayOutputStream();
  private final List<Integer> restarts = new ArrayList<>();
  private byte[] lastKey = new byte[0];
  private int count;

  /**
   * @param restartInterval each so many entries a key is written in full
   */
  BlockBuilder(int restartInterval) {
    this.restartInterval = restartInterval;
    restarts.add(0);
  }

  /** Adds an entry, whose key comes after all before. */
  void add(byte[] key, byte[] value) {
    int shared = 0;
    if (count > 0 && count % restartInterval == 0) {
      restarts.add(entries.size());
    } else if (count > 0) {
      int mismatch = Arrays.mismatch(lastKey, key);
      shared = mismatch < 0 ? key.length : mismatch;
    }
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(entries);
      out.writeUInt32NoTag(shared);
      out.writeUInt32NoTag(key.length - shared);
      out.writeUInt32NoTag(value.length);
      out.write(key, shared, key.length - shared);
      out.write(value, 0, value.length);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    lastKey = key;
    count++;
  }

  boolean isEmpty() {
    return count == 0;
  }

  byte[] lastKey() {
    return lastKey;
  }

  /** The bytes that {@link #finish} would give now. */
  int size() {
    return entries.size() + Integer.BYTES * (restarts.size() + 1);
  }

  byte[] finish() {
    ByteBuffer block = ByteBuffer.allocate(size()).order(ByteOrder.LITTLE_ENDIAN);
    block.put(entries.toByteArray());
    restarts.forEach(block::putInt);
    block.putInt(restarts.size());
    return block.array();
  }
}
