package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * BMP images without compression: 8 bits for grey, without regard for a palette, as in TensorFlow;
 * 24 for blue, green and red, and 32 with opacity.
 */
public final class BmpImages {
  private static final int SMALLEST = 32;
  private static final int OFFSET_AT = 10;
  private static final int WIDTH_AT = 18;
  private static final int HEIGHT_AT = 22;
  private static final int BITS_AT = 28;
  private static final byte OPAQUE = (byte) 0xff;

  private BmpImages() {}

  /** The image with 3 or 4 channels; 0 for those it has. */
  public static Pixels decode(byte[] content, int channels) {
    ImageKind.BMP.require(content);
    if (content.length < SMALLEST) {
      throw TributaryException.invalidArgument(
          "Invalid BMP data: a header has at least %d bytes, got %d", SMALLEST, content.length);
    }
    ByteBuffer file = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    int width = file.getInt(WIDTH_AT);
    long height = file.getInt(HEIGHT_AT);
    int own = file.getShort(BITS_AT) / Byte.SIZE;
    if (own != 1 && own != 3 && own != 4) {
      throw TributaryException.invalidArgument(
          "Invalid BMP data: pixels must have 8, 24 or 32 bits, got %d", file.getShort(BITS_AT));
    }
    // Rows go from the bottom up unless the height is negative.
    boolean topDown = height < 0;
    int rows = (int) Math.min(Integer.MAX_VALUE, Math.abs(height));
    int wanted = channels == 0 ? own : channels;
    Pixels.requireSize(rows, width, Math.max(wanted, own));
    int rowBytes = (own * width + 3) / 4 * 4;
    long first = file.getInt(OFFSET_AT);
    long expected = first + (long) rowBytes * rows;
    if (first < 0 || content.length != expected) {
      throw TributaryException.invalidArgument(
          "Invalid BMP data: %d x %d pixels of %d bytes from byte %d on make %d bytes, got %d",
          width, rows, own, first, expected, content.length);
    }
    Pixels pixels = new Pixels(rows, width, wanted);
    int to = 0;
    for (int y = 0; y < rows; y++) {
      int from = (int) first + (topDown ? y : rows - 1 - y) * rowBytes;
      for (int x = 0; x < width; x++, from += own, to += wanted) {
        copy(content, from, own, pixels.samples(), to, wanted);
      }
    }
    return pixels;
  }

  private static void copy(byte[] file, int from, int own, byte[] samples, int to, int wanted) {
    for (int i = 0; i < Math.min(wanted, 3); i++) {
      samples[to + i] = own == 1 ? file[from] : file[from + 2 - i];
    }
    if (wanted == 4) {
      samples[to + 3] = own == 4 ? file[from + 3] : OPAQUE;
    }
  }
}
