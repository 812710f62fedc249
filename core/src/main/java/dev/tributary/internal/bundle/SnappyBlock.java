package dev.tributary.internal.bundle;

import java.io.IOException;

/**
 * Decompresses blocks in Snappy's format, which old tables may have: a varint with the size, then
 * literals and copies of what came before.
 */
final class SnappyBlock {
  /** The longest copy for the shortest tag: a block that claims to hold more is damaged. */
  private static final int MOST_EXPANSION = 64;

  private final byte[] in;
  private final int end;
  private int at;
  private byte[] out = new byte[0];
  private int size;

  private SnappyBlock(byte[] in, int start, int length) {
    this.in = in;
    this.at = start;
    this.end = start + length;
  }

  static byte[] decompress(byte[] in, int start, int length) throws IOException {
    return new SnappyBlock(in, start, length).run();
  }

  private byte[] run() throws IOException {
    long whole = varint();
    if (whole > (long) MOST_EXPANSION * (end - at) || whole > Integer.MAX_VALUE - 8) {
      throw new IOException("a compressed block claims to hold " + whole + " bytes");
    }
    out = new byte[(int) whole];
    while (at < end) {
      int tag = next();
      switch (tag & 3) {
        case 0 -> literal(tag >> 2);
        case 1 -> copy(4 + (tag >> 2 & 7), (tag >> 5) << 8 | next());
        case 2 -> copy(1 + (tag >> 2), number(2));
        default -> copy(1 + (tag >> 2), number(4));
      }
    }
    if (size != out.length) {
      throw new IOException("a compressed block holds " + size + " bytes of " + out.length);
    }
    return out;
  }

  private void literal(int code) throws IOException {
    // Up to 59 the code is the length less one; above, it says how many bytes hold that.
    long length = 1 + (code < 60 ? code : number(code - 59));
    if (length > end - at || length > out.length - size) {
      throw damaged();
    }
    System.arraycopy(in, at, out, size, (int) length);
    at += (int) length;
    size += (int) length;
  }

  /** Copies may overlap what they make, and then repeat it. */
  private void copy(int length, long offset) throws IOException {
    if (offset <= 0 || offset > size || length > out.length - size) {
      throw damaged();
    }
    for (int i = 0; i < length; i++, size++) {
      out[size] = out[size - (int) offset];
    }
  }

  private long number(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) next() << 8 * i;
    }
    return value;
  }

  private long varint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = next();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw damaged();
  }

  private int next() throws IOException {
    if (at == end) {
      throw damaged();
    }
    return Byte.toUnsignedInt(in[at++]);
  }

  private static IOException damaged() {
    return new IOException("a compressed block is cut or copies from outside of it");
  }
}
