package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;

/** JPEG images, grey or in colours. */
public final class JpegImages {
  private static final int MARKER = 0xff;
  private static final int START_OF_SCAN = 0xda;
  private static final int FRAME_BYTES = 10;

  private JpegImages() {}

  /**
   * The image with 1 or 3 channels; 0 for those it has.
   *
   * @param mayBeCut whether an image of which the end is missing is taken for what it has
   */
  public static Pixels decode(byte[] content, int channels, boolean mayBeCut) {
    ImageKind.JPEG.require(content);
    BufferedImage image = ImageSource.read("JPEG", content, mayBeCut);
    Raster raster = image.getRaster();
    int own = raster.getNumBands() == 1 ? 1 : 3;
    Pixels pixels = new Pixels(image.getHeight(), image.getWidth(), channels == 0 ? own : channels);
    int[] row = new int[own * image.getWidth()];
    int to = 0;
    for (int y = 0; y < pixels.height(); y++) {
      raster.getPixels(0, y, image.getWidth(), 1, row);
      for (int from = 0; from < row.length; from += own) {
        to = write(row, from, own, pixels, to);
      }
    }
    return pixels;
  }

  /** The bytes of a JPEG image of 1 or 3 channels. */
  public static byte[] encode(Pixels pixels, JpegOptions options) {
    return JpegWriter.encode(pixels, options);
  }

  /** The height, width and number of components that the header of an image tells. */
  public static long[] shape(byte[] content) {
    ImageKind.JPEG.require(content);
    long[] shape = {};
    int at = 2;
    while (at + 4 <= content.length) {
      int marker = unsigned(content, at + 1);
      if (unsigned(content, at) != MARKER) {
        break;
      }
      if (marker == MARKER) {
        at++;
        continue;
      }
      if (marker == START_OF_SCAN && shape.length > 0) {
        return shape;
      }
      if (isFrame(marker) && at + FRAME_BYTES <= content.length) {
        shape =
            new long[] {
              number(content, at + 5), number(content, at + 7), unsigned(content, at + 9)
            };
      }
      at += 2 + number(content, at + 2);
    }
    throw TributaryException.invalidArgument(
        "Invalid JPEG data, size %d: no complete header", content.length);
  }

  /** Returns whether a segment holds the size of the image; each compression has its marker. */
  private static boolean isFrame(int marker) {
    boolean isTable = marker == 0xc4 || marker == 0xc8 || marker == 0xcc;
    return marker >= 0xc0 && marker <= 0xcf && !isTable;
  }

  private static int number(byte[] content, int at) {
    return unsigned(content, at) << Byte.SIZE | unsigned(content, at + 1);
  }

  private static int unsigned(byte[] content, int at) {
    return content[at] & 0xff;
  }

  private static int write(int[] row, int from, int own, Pixels pixels, int to) {
    byte[] samples = pixels.samples();
    if (pixels.channels() == 1 && own == 3) {
      samples[to] = (byte) luminance(row[from], row[from + 1], row[from + 2]);
    } else {
      for (int i = 0; i < pixels.channels(); i++) {
        samples[to + i] = (byte) row[from + i % own];
      }
    }
    return to + pixels.channels();
  }

  private static int luminance(int red, int green, int blue) {
    return (int) (0.299 * red + 0.587 * green + 0.114 * blue + 0.5);
  }
}
