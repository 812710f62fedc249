package dev.tributary.internal.file;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Checksums as TensorFlow's files hold them: a CRC-32C, rotated and moved by a constant. */
public final class MaskedCrc {
  private static final int DELTA = 0xa282ead8;
  private static final int ROTATION = 15;

  private MaskedCrc() {}

  public static int mask(int crc) {
    return Integer.rotateRight(crc, ROTATION) + DELTA;
  }

  public static int unmask(int masked) {
    return Integer.rotateLeft(masked - DELTA, ROTATION);
  }

  /** The masked checksum of what was put into {@code crc} so far. */
  public static int of(CRC32C crc) {
    return mask((int) crc.getValue());
  }

  /** The masked checksum of all that remains in the buffer, which is left as it is. */
  public static int of(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return of(crc);
  }

  public static int of(byte[] bytes) {
    return of(ByteBuffer.wrap(bytes));
  }
}
