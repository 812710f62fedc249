package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;

/** Unpacks the pixels of a GIF image, which are compressed by LZW with codes of up to 12 bits. */
final class GifLzw {
  /** The most pixels that one code can stand for. */
  static final int MOST_OF_A_CODE = 1 << 12;

  private static final int LONGEST_CODE = 12;

  private final byte[] data;
  private final int literalBits;
  private final int literals;
  private final short[] prefix = new short[MOST_OF_A_CODE];
  private final byte[] suffix = new byte[MOST_OF_A_CODE];
  private final byte[] string = new byte[MOST_OF_A_CODE];
  private int length;
  private int next;
  private int bits;
  private long at;

  /**
   * @param literalBits the bits of a pixel, from 1 to 8
   */
  private GifLzw(byte[] data, int literalBits) {
    this.data = data;
    this.literalBits = literalBits;
    this.literals = 1 << literalBits;
    clear();
  }

  /** Fills {@code pixels}; fails if there are not enough. */
  static void decode(byte[] data, int literalBits, byte[] pixels) {
    new GifLzw(data, literalBits).decode(pixels);
  }

  private void decode(byte[] pixels) {
    int before = -1;
    int to = 0;
    while (to < pixels.length) {
      int code = read();
      if (code == literals) {
        clear();
        before = -1;
        continue;
      }
      boolean isKnown = code < literals || code > literals + 1 && code < next;
      // A code may stand for the string that it is about to get.
      boolean isNew = before >= 0 && code == next && next < MOST_OF_A_CODE;
      if (!isKnown && !isNew) {
        throw damaged("code " + code + " after " + to + " pixels");
      }
      spell(isKnown ? code : before);
      byte first = string[length - 1];
      if (before >= 0 && next < MOST_OF_A_CODE) {
        add(before, first);
      }
      to = write(pixels, to);
      if (!isKnown && to < pixels.length) {
        pixels[to++] = first;
      }
      before = code;
    }
  }

  private void clear() {
    next = literals + 2;
    bits = literalBits + 1;
  }

  private void add(int before, byte last) {
    prefix[next] = (short) before;
    suffix[next] = last;
    next++;
    if (next == 1 << bits && bits < LONGEST_CODE) {
      bits++;
    }
  }

  /** Puts the string of a code into {@link #string}, backwards. */
  private void spell(int code) {
    length = 0;
    int rest = code;
    while (rest >= literals) {
      string[length++] = suffix[rest];
      rest = prefix[rest];
    }
    string[length++] = (byte) rest;
  }

  private int write(byte[] pixels, int start) {
    int to = start;
    for (int i = length - 1; i >= 0 && to < pixels.length; i--) {
      pixels[to++] = string[i];
    }
    return to;
  }

  private int read() {
    if (at + bits > (long) data.length * Byte.SIZE) {
      throw damaged("the pixels end too soon");
    }
    int code = 0;
    for (int i = 0; i < bits; i++, at++) {
      int bit = data[(int) (at / Byte.SIZE)] >> at % Byte.SIZE & 1;
      code |= bit << i;
    }
    return code;
  }

  private static TributaryException damaged(String how) {
    return TributaryException.invalidArgument("Invalid GIF data: %s", how);
  }
}
