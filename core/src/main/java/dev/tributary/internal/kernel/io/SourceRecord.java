package dev.tributary.internal.kernel.io;

import java.nio.charset.StandardCharsets;

/** A record of a reader, and a key that names its origin. The arrays are shared. */
public record SourceRecord(byte[] key, byte[] value) {
  /** A record with the key {@code work:place}. */
  static SourceRecord at(String work, long place, byte[] value) {
    return new SourceRecord((work + ":" + place).getBytes(StandardCharsets.UTF_8), value);
  }
}
