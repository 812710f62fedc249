package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The size that the header of an image claims, for those who must know it before they decode. */
public final class ImageSize {
  private ImageSize() {}

  /**
   * Returns the pixels of one frame; 0 if the header is damaged or claims more than any image has,
   * which the decoder reports.
   */
  public static long pixels(ImageKind kind, byte[] content) {
    long claimed = claimed(kind, content);
    return claimed <= Pixels.MOST_SAMPLES ? claimed : 0;
  }

  private static long claimed(ImageKind kind, byte[] content) {
    return switch (kind) {
      case JPEG -> ofJpeg(content);
      case PNG -> product(content, ByteOrder.BIG_ENDIAN, Integer.BYTES, 16);
      case GIF -> product(content, ByteOrder.LITTLE_ENDIAN, Short.BYTES, 6);
      case BMP -> product(content, ByteOrder.LITTLE_ENDIAN, Integer.BYTES, 18);
    };
  }

  private static long ofJpeg(byte[] content) {
    try {
      long[] shape = JpegImages.shape(content);
      return shape[0] * shape[1];
    } catch (TributaryException e) {
      return 0;
    }
  }

  /** The product of two numbers that follow each other; those of a BMP may be negative. */
  private static long product(byte[] content, ByteOrder order, int bytes, int at) {
    if (content.length < at + 2 * bytes) {
      return 0;
    }
    ByteBuffer header = ByteBuffer.wrap(content).order(order);
    long first = bytes == Short.BYTES ? header.getShort(at) & 0xffff : header.getInt(at);
    long second =
        bytes == Short.BYTES ? header.getShort(at + bytes) & 0xffff : header.getInt(at + bytes);
    return Math.abs(first) * Math.abs(second);
  }
}
