package dev.tributary.internal.kernel.text;

import java.io.ByteArrayOutputStream;

/** Single characters of UTF-8. */
final class Utf8 {
  private Utf8() {}

  /** Returns the number of bytes of the valid character at {@code i}; 0 if there is none. */
  static int length(byte[] bytes, int i) {
    int first = bytes[i] & 0xff;
    if (first < 0x80) {
      return 1;
    }
    if (first < 0xc2 || first > 0xf4) {
      return 0;
    }
    int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (i + length > bytes.length || !isSecond(first, bytes[i + 1] & 0xff)) {
      return 0;
    }
    for (int j = 2; j < length; j++) {
      if (!isTrail(bytes[i + j])) {
        return 0;
      }
    }
    return length;
  }

  /**
   * Returns the number of bytes at {@code i}, no valid character, to replace as one: the longest
   * beginning of a character.
   */
  static int invalidLength(byte[] bytes, int i) {
    int first = bytes[i] & 0xff;
    if (first < 0xc2
        || first > 0xf4
        || i + 1 == bytes.length
        || !isSecond(first, bytes[i + 1] & 0xff)) {
      return 1;
    }
    boolean third = first >= 0xf0 && i + 2 < bytes.length && isTrail(bytes[i + 2]);
    return third ? 3 : 2;
  }

  /**
   * Returns true if a byte can follow the first one of a character: no overlong form, no surrogate.
   */
  private static boolean isSecond(int first, int second) {
    int low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    int high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high;
  }

  static boolean isTrail(byte b) {
    return (b & 0xc0) == 0x80;
  }

  /** The character of this many bytes at {@code i}, which is valid. */
  static int codePoint(byte[] bytes, int i, int length) {
    if (length == 1) {
      return bytes[i];
    }
    int point = bytes[i] & 0xff >> length + 1;
    for (int j = 1; j < length; j++) {
      point = point << 6 | bytes[i + j] & 0x3f;
    }
    return point;
  }

  static void write(int point, ByteArrayOutputStream to) {
    if (point < 0x80) {
      to.write(point);
      return;
    }
    int trails = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    to.write(0xff << 7 - trails & 0xff | point >> 6 * trails);
    for (int i = trails - 1; i >= 0; i--) {
      to.write(0x80 | point >> 6 * i & 0x3f);
    }
  }
}
