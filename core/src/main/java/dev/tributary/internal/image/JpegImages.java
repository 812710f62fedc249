package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;

/** JPEG images, grey or in colours. */
public final class JpegImages {
  private JpegImages() {}

  /**
   * The image with 1 or 3 channels; 0 for those it has.
   *
   * @param mayBeCut whether an image of which the end is missing is taken for what it has
   */
  public static Pixels decode(byte[] content, int channels, boolean mayBeCut) {
    boolean isJpeg = content.length > 2 && content[0] == (byte) 0xff && content[1] == (byte) 0xd8;
    if (!isJpeg) {
      throw TributaryException.invalidArgument(
          "Invalid JPEG data: the %d bytes do not begin as a JPEG image does", content.length);
    }
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
