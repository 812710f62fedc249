package dev.tributary.internal.bundle;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes numbers and strings such that the order of the bytes is theirs: the code in which keys of
 * slices are made. Confined to one thread.
 */
final class OrderedCode {
  private static final int ONE_BYTE_LIMIT = 64;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /**
   * The key of a slice: zero, which no name of a tensor begins with, the name, the rank, and start
   * and length of each dimension, where a whole one has the length -1.
   */
  static byte[] sliceKey(String name, TensorSlice slice) {
    OrderedCode code = new OrderedCode();
    code.unsigned(0);
    code.string(name.getBytes(StandardCharsets.UTF_8));
    code.unsigned(slice.rank());
    for (int i = 0; i < slice.rank(); i++) {
      code.signed(slice.start(i));
      code.signed(slice.length(i));
    }
    return code.out.toByteArray();
  }

  /** A length byte, then as few bytes as the number needs. */
  private void unsigned(long value) {
    int length = (Long.SIZE - Long.numberOfLeadingZeros(value) + 7) / 8;
    out.write(length);
    for (int i = length - 1; i >= 0; i--) {
      out.write((int) (value >>> (8 * i)));
    }
  }

  /** The bytes, of which 00 and ff are marked so that 00 01 can end them. */
  private void string(byte[] bytes) {
    for (byte b : bytes) {
      out.write(b);
      if (b == 0) {
        out.write(0xff);
      } else if (b == (byte) 0xff) {
        out.write(0);
      }
    }
    out.write(0);
    out.write(1);
  }

  /**
   * One byte for -64 to 63, else a big-endian number of n bytes which begins with n bits unlike its
   * sign.
   */
  void signed(long value) {
    long magnitude = value < 0 ? ~value : value;
    if (magnitude < ONE_BYTE_LIMIT) {
      out.write((int) (0x80 ^ value));
      return;
    }
    int length = (Long.SIZE - Long.numberOfLeadingZeros(magnitude)) / 7 + 1;
    for (int i = 0; i < length; i++) {
      int shift = 8 * (length - 1 - i);
      long part = shift < Long.SIZE ? value >> shift : value >> (Long.SIZE - 1);
      out.write((int) part ^ headerByte(i, length));
    }
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }

  /** Byte {@code i} of a number whose first {@code ones} bits are 1 and the others 0. */
  private static int headerByte(int i, int ones) {
    int here = Math.max(0, Math.min(8, ones - 8 * i));
    return 0xff << (8 - here) & 0xff;
  }
}
