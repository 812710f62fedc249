package dev.tributary.internal.kernel.lookup;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** The approximate size of a table's entries on the Java heap. */
final class EntryBytes {
  /** The map's node and its place in the map. */
  private static final long ENTRY = 64;

  private static final long NUMBER = 24;
  private static final long STRING = 64;
  private static final long LIST = 40;
  private static final long REFERENCE = 4;

  private EntryBytes() {}

  static long of(Map<Object, Object> entries) {
    long bytes = 0;
    for (Map.Entry<Object, Object> entry : entries.entrySet()) {
      bytes += of(entry.getKey(), entry.getValue());
    }
    return bytes;
  }

  static long of(Object key, Object value) {
    return ENTRY + of(key) + of(value);
  }

  private static long of(Object element) {
    if (element instanceof ByteBuffer text) {
      return STRING + text.capacity();
    }
    if (element instanceof List<?> list) {
      long bytes = LIST;
      for (Object part : list) {
        bytes += REFERENCE + of(part);
      }
      return bytes;
    }
    return NUMBER;
  }
}
