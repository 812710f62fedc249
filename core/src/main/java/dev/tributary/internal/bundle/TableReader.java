package dev.tributary.internal.bundle;

import com.google.protobuf.CodedInputStream;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.MaskedCrc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads a sorted table as a whole, and checks all of it. Damage is a DATA_LOSS that names the file.
 * Keys are given as strings of one character a byte, whose order is that of the bytes.
 */
final class TableReader {
  private static final byte PLAIN = 0;
  private static final byte SNAPPY = 1;

  private final Path path;
  private final ByteBuffer table;

  private TableReader(Path path, byte[] content) {
    this.path = path;
    this.table = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
  }

  static SortedMap<String, byte[]> read(FileRoot files, Path path) {
    try {
      return new TableReader(path, files.read(path)).entries();
    } catch (IOException e) {
      throw FileFailure.of("read checkpoint index", path, e);
    }
  }

  private SortedMap<String, byte[]> entries() {
    int footer = table.capacity() - TableWriter.FOOTER_BYTES;
    if (footer < 0) {
      throw damaged("it has only " + table.capacity() + " bytes");
    }
    if (table.getLong(table.capacity() - Long.BYTES) != TableWriter.MAGIC) {
      throw damaged("it does not end as an index does; was it written to its end?");
    }
    SortedMap<String, byte[]> entries = new TreeMap<>();
    try {
      CodedInputStream handles =
          CodedInputStream.newInstance(table.array(), footer, TableWriter.FOOTER_BYTES);
      BlockHandle.read(handles);
      SortedMap<String, byte[]> index = new TreeMap<>();
      addBlock(BlockHandle.read(handles), index);
      for (byte[] handle : index.values()) {
        addBlock(BlockHandle.read(CodedInputStream.newInstance(handle)), entries);
      }
    } catch (IOException e) {
      throw damaged(e.getMessage());
    }
    return Collections.unmodifiableSortedMap(entries);
  }

  private void addBlock(BlockHandle handle, SortedMap<String, byte[]> entries) throws IOException {
    long end = handle.offset() + handle.size();
    if (handle.offset() < 0
        || handle.size() < Integer.BYTES
        || end < 0
        || end + TableWriter.TRAILER_BYTES > table.capacity()) {
      throw damaged("a block lies outside of it, " + handle);
    }
    int start = (int) handle.offset();
    int length = (int) handle.size();
    requireCrc(start, length);
    switch (table.get(start + length)) {
      case PLAIN -> addEntries(table.slice(start, length), entries);
      case SNAPPY ->
          addEntries(
              ByteBuffer.wrap(SnappyBlock.decompress(table.array(), start, length)), entries);
      default ->
          throw TributaryException.unimplemented(
              "checkpoint index %s is compressed in way %d, which is not supported",
              path, table.get(start + length));
    }
  }

  private void addEntries(ByteBuffer block, SortedMap<String, byte[]> entries) throws IOException {
    int length = block.capacity();
    if (length < Integer.BYTES) {
      throw damaged("a block has no restarts");
    }
    long restarts =
        Integer.toUnsignedLong(block.order(ByteOrder.LITTLE_ENDIAN).getInt(length - Integer.BYTES));
    long entryBytes = length - Integer.BYTES * (restarts + 1);
    if (entryBytes < 0) {
      throw damaged("a block has more restarts than bytes");
    }
    CodedInputStream in =
        CodedInputStream.newInstance(block.array(), block.arrayOffset(), (int) entryBytes);
    String key = "";
    while (!in.isAtEnd()) {
      int shared = in.readRawVarint32();
      int rest = in.readRawVarint32();
      int size = in.readRawVarint32();
      if (shared < 0 || shared > key.length()) {
        throw damaged("a key shares more than there is");
      }
      String next = key.substring(0, shared) + text(in.readRawBytes(rest));
      boolean isFirst = entries.isEmpty();
      if (!isFirst && entries.lastKey().compareTo(next) >= 0) {
        throw damaged("its keys do not ascend");
      }
      entries.put(next, in.readRawBytes(size));
      key = next;
    }
  }

  private void requireCrc(int start, int length) {
    int stored = table.getInt(start + length + 1);
    int actual = MaskedCrc.of(table.slice(start, length + 1));
    if (stored != actual) {
      throw damaged(
          String.format(
              "the checksum of its block at offset %d is %08x, not %08x", start, actual, stored));
    }
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.ISO_8859_1);
  }

  private TributaryException damaged(String how) {
    return new TributaryException(
        ErrorCode.DATA_LOSS, "checkpoint index " + path + " is damaged: " + how);
  }
}
