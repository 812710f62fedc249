package dev.tributary.internal.kernel.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Byte strings as the text that regular expressions match, and back without loss. A byte that is
 * not part of valid UTF-8 becomes a lone surrogate, U+DC80 to U+DCFF, which no valid text has.
 * There {@code .} matches such a byte, which it does not in RE2.
 */
final class RegexText {
  private static final char ESCAPE = 0xdc00;

  private RegexText() {}

  static String decode(byte[] bytes) {
    if (isAscii(bytes)) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
    StringBuilder text = new StringBuilder(bytes.length);
    for (int i = 0; i < bytes.length; ) {
      int length = Utf8.length(bytes, i);
      if (length == 0) {
        text.append((char) (ESCAPE + (bytes[i++] & 0xff)));
      } else {
        text.appendCodePoint(Utf8.codePoint(bytes, i, length));
        i += length;
      }
    }
    return text.toString();
  }

  static byte[] encode(CharSequence text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); ) {
      int point = Character.codePointAt(text, i);
      if (point >= ESCAPE + 0x80 && point <= ESCAPE + 0xff) {
        bytes.write(point - ESCAPE);
      } else {
        Utf8.write(point, bytes);
      }
      i += Character.charCount(point);
    }
    return bytes.toByteArray();
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }
}
