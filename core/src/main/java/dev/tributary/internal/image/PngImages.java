package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;
import java.awt.Point;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** PNG images of any kind, as 8 bits a sample. */
public final class PngImages {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final int COLOR_TYPE_OFFSET = 25;
  private static final int COLOR = 2;
  private static final int PALETTE = 3;
  private static final int ALPHA = 4;
  private static final int MOST_COMPRESSED = 9;
  private static final int OPAQUE = 0xff;

  private PngImages() {}

  /**
   * The image with this number of channels; 0 for those it has, which are 3 or 4 for one with a
   * palette. Of 16 bits a sample the upper 8 are taken.
   */
  public static Pixels decode(byte[] content, int channels) {
    if (content.length <= COLOR_TYPE_OFFSET
        || !Arrays.equals(Arrays.copyOf(content, SIGNATURE.length), SIGNATURE)) {
      throw TributaryException.invalidArgument(
          "Invalid PNG data: the %d bytes do not begin as a PNG image does", content.length);
    }
    int colorType = content[COLOR_TYPE_OFFSET];
    BufferedImage image = ImageSource.read("PNG", content, false);
    boolean isColor = (colorType & COLOR) != 0;
    int own = (isColor ? 3 : 1) + ((colorType & ALPHA) != 0 ? 1 : 0);
    if (colorType == PALETTE && image.getColorModel().hasAlpha()) {
      own = 4;
    }
    Pixels pixels = new Pixels(image.getHeight(), image.getWidth(), channels == 0 ? own : channels);
    int[] rgba = new int[4 * pixels.width()];
    for (int y = 0; y < pixels.height(); y++) {
      readRow(image, y, rgba);
      writeRow(rgba, pixels, y, isColor);
    }
    return pixels;
  }

  /** Puts one row into red, green, blue and opacity of 8 bits; grey is in all three. */
  private static void readRow(BufferedImage image, int y, int[] rgba) {
    Raster raster = image.getRaster();
    int width = image.getWidth();
    int bands = raster.getNumBands();
    int[] row = raster.getPixels(0, y, width, 1, (int[]) null);
    boolean hasAlpha = bands % 2 == 0;
    int shift = raster.getSampleModel().getSampleSize(0) > 8 ? 8 : 0;
    for (int x = 0; x < width; x++) {
      if (image.getColorModel() instanceof IndexColorModel palette) {
        int argb = palette.getRGB(row[x]);
        rgba[4 * x] = argb >> 16 & 0xff;
        rgba[4 * x + 1] = argb >> 8 & 0xff;
        rgba[4 * x + 2] = argb & 0xff;
        rgba[4 * x + 3] = argb >>> 24;
      } else {
        int color = bands > 2 ? 1 : 0;
        for (int i = 0; i < 3; i++) {
          rgba[4 * x + i] = row[bands * x + i * color] >> shift;
        }
        rgba[4 * x + 3] = hasAlpha ? row[bands * x + bands - 1] >> shift : OPAQUE;
      }
    }
  }

  private static void writeRow(int[] rgba, Pixels pixels, int y, boolean isColor) {
    int channels = pixels.channels();
    boolean toGrey = channels < 3;
    int to = y * pixels.width() * channels;
    for (int from = 0; from < rgba.length; from += 4, to += channels) {
      byte[] samples = pixels.samples();
      if (toGrey) {
        int grey = isColor ? grey(rgba[from], rgba[from + 1], rgba[from + 2]) : rgba[from];
        samples[to] = (byte) grey;
      } else {
        for (int i = 0; i < 3; i++) {
          samples[to + i] = (byte) rgba[from + i];
        }
      }
      if (channels % 2 == 0) {
        samples[to + channels - 1] = (byte) rgba[from + 3];
      }
    }
  }

  /**
   * Stock TensorFlow hands libpng the weights of red and blue where it wants those of red and
   * green; so do we, for the same numbers.
   */
  private static int grey(int red, int green, int blue) {
    int redWeight = 29900 * 32768 / 100000;
    int greenWeight = 11400 * 32768 / 100000;
    int blueWeight = 32768 - redWeight - greenWeight;
    return redWeight * red + greenWeight * green + blueWeight * blue >> 15;
  }

  /**
   * The bytes of a PNG image.
   *
   * @param compression from 0 (none) to 9 (smallest), or -1 for what is usual
   */
  public static byte[] encode(Pixels pixels, int compression) {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("PNG").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream output = new MemoryCacheImageOutputStream(bytes)) {
      ImageWriteParam parameters = writer.getDefaultWriteParam();
      if (compression >= 0) {
        parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        parameters.setCompressionQuality(1 - (float) compression / MOST_COMPRESSED);
      }
      writer.setOutput(output);
      writer.write(null, new IIOImage(image(pixels), null, null), parameters);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  private static BufferedImage image(Pixels pixels) {
    int channels = pixels.channels();
    int[] bands = new int[channels];
    Arrays.setAll(bands, i -> i);
    WritableRaster raster =
        Raster.createInterleavedRaster(
            new DataBufferByte(pixels.samples(), pixels.samples().length),
            pixels.width(),
            pixels.height(),
            pixels.width() * channels,
            channels,
            bands,
            new Point());
    boolean hasAlpha = channels % 2 == 0;
    ComponentColorModel colors =
        new ComponentColorModel(
            ColorSpace.getInstance(channels < 3 ? ColorSpace.CS_GRAY : ColorSpace.CS_sRGB),
            hasAlpha,
            false,
            hasAlpha ? Transparency.TRANSLUCENT : Transparency.OPAQUE,
            DataBuffer.TYPE_BYTE);
    return new BufferedImage(colors, raster, false, null);
  }
}
