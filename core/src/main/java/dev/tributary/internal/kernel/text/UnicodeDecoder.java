package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;

/** Reads strings of an encoding character by character. Immutable. */
final class UnicodeDecoder {
  /** Takes the characters of a string, in order. */
  interface Characters {
    /**
     * @param bytes how many bytes of the string it takes
     * @param isValid whether these bytes are a character of the encoding; if not, {@code point} is
     *     U+FFFD
     */
    void add(int point, int bytes, boolean isValid);
  }

  private static final int REPLACEMENT = 0xfffd;

  private final Charset charset;

  private UnicodeDecoder(Charset charset) {
    this.charset = charset;
  }

  /** The decoder of an encoding with the name that TensorFlow or Java gives it. */
  static UnicodeDecoder of(String encoding) {
    try {
      String plain = encoding.toUpperCase(Locale.ROOT).replace("-", "").replace("_", "");
      String name = plain.matches("UTF(16|32)[BL]E") ? "UTF-" + plain.substring(3) : encoding;
      return new UnicodeDecoder(Charset.forName(name));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw TributaryException.invalidArgument(
          "Could not create converter for input encoding: %s", encoding);
    }
  }

  void decode(byte[] string, Characters characters) {
    if (charset.equals(StandardCharsets.UTF_8)) {
      decodeUtf8(string, characters);
    } else {
      decodeOther(string, characters);
    }
  }

  private static void decodeUtf8(byte[] string, Characters characters) {
    for (int i = 0; i < string.length; ) {
      int length = Utf8.length(string, i);
      if (length > 0) {
        characters.add(Utf8.codePoint(string, i, length), length, true);
      } else {
        length = Utf8.invalidLength(string, i);
        characters.add(REPLACEMENT, length, false);
      }
      i += length;
    }
  }

  /** Lets the decoder write to room for one character: it stops after each. */
  private void decodeOther(byte[] string, Characters characters) {
    CharsetDecoder decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer from = ByteBuffer.wrap(string);
    CharBuffer to = CharBuffer.allocate(2);
    while (from.hasRemaining()) {
      int start = from.position();
      to.clear().limit(1);
      CoderResult result = decoder.decode(from, to, true);
      if (result.isOverflow() && to.position() == 0) {
        to.limit(2);
        result = decoder.decode(from, to, true);
      }
      if (to.position() > 0) {
        characters.add(Character.codePointAt(to.array(), 0), from.position() - start, true);
        continue;
      }
      int bad = result.isError() ? result.length() : from.remaining();
      from.position(from.position() + bad);
      characters.add(REPLACEMENT, from.position() - start, false);
    }
  }
}
