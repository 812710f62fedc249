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
  private static final int COLOR_TYPE_OFFSET = 25;
  private static final int COLOR = 2;
  private static final int PALETTE = 3;
  private static final int ALPHA = 4;
  private static final int MOST_COMPRESSED = 9;
  private static final int OPAQUE = 0xff;
  private static final int WIDE_OPAQUE = 0xffff;

  private PngImages() {}

  /** The places that samples go to, by their number. */
  @FunctionalInterface
  private interface Target {
    void put(int i, int sample);
  }

  /**
   * The image with this number of channels; 0 for those it has, which are 3 or 4 for one with a
   * palette. Of 16 bits a sample the upper 8 are taken.
   */
  public static Pixels decode(byte[] content, int channels) {
    BufferedImage image = read(content);
    int count = channels == 0 ? channels(content, image) : channels;
    Pixels pixels = new Pixels(image.getHeight(), image.getWidth(), count);
    copy(content, image, count, false, (i, sample) -> pixels.samples()[i] = (byte) sample);
    return pixels;
  }

  /** The same with 16 bits a sample; those of 8 bits have their bits twice. */
  public static WidePixels decodeWide(byte[] content, int channels) {
    BufferedImage image = read(content);
    int count = channels == 0 ? channels(content, image) : channels;
    WidePixels pixels = WidePixels.of(image.getHeight(), image.getWidth(), count);
    int factor = isWide(image) ? 1 : 0x101;
    copy(
        content,
        image,
        count,
        true,
        (i, sample) -> pixels.samples()[i] = (short) (sample * factor));
    return pixels;
  }

  private static BufferedImage read(byte[] content) {
    ImageKind.PNG.require(content);
    if (content.length <= COLOR_TYPE_OFFSET) {
      throw TributaryException.invalidArgument(
          "Invalid PNG data: the header is cut off after %d bytes", content.length);
    }
    return ImageSource.read("PNG", content, false);
  }

  private static boolean isWide(BufferedImage image) {
    return image.getRaster().getSampleModel().getSampleSize(0) > Byte.SIZE;
  }

  private static int channels(byte[] content, BufferedImage image) {
    int colorType = content[COLOR_TYPE_OFFSET];
    if (colorType == PALETTE) {
      return image.getColorModel().hasAlpha() ? 4 : 3;
    }
    return ((colorType & COLOR) != 0 ? 3 : 1) + ((colorType & ALPHA) != 0 ? 1 : 0);
  }

  private static void copy(
      byte[] content, BufferedImage image, int channels, boolean wide, Target target) {
    boolean isColor = (content[COLOR_TYPE_OFFSET] & COLOR) != 0;
    boolean keepsWide = wide && isWide(image);
    int[] rgba = new int[4 * image.getWidth()];
    for (int y = 0; y < image.getHeight(); y++) {
      readRow(image, y, rgba, keepsWide);
      writeRow(rgba, y * image.getWidth() * channels, channels, isColor, keepsWide, target);
    }
  }

  /**
   * Puts one row into red, green, blue and opacity; grey is in all three.
   *
   * @param wide whether to keep samples of 16 bits
   */
  private static void readRow(BufferedImage image, int y, int[] rgba, boolean wide) {
    Raster raster = image.getRaster();
    int width = image.getWidth();
    int bands = raster.getNumBands();
    int[] row = raster.getPixels(0, y, width, 1, (int[]) null);
    boolean hasAlpha = bands % 2 == 0;
    int shift = isWide(image) && !wide ? Byte.SIZE : 0;
    int opaque = wide ? WIDE_OPAQUE : OPAQUE;
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
        rgba[4 * x + 3] = hasAlpha ? row[bands * x + bands - 1] >> shift : opaque;
      }
    }
  }

  private static void writeRow(
      int[] rgba, int start, int channels, boolean isColor, boolean wide, Target target) {
    boolean toGrey = channels < 3;
    int to = start;
    for (int from = 0; from < rgba.length; from += 4, to += channels) {
      if (toGrey) {
        int grey = isColor ? grey(rgba[from], rgba[from + 1], rgba[from + 2], wide) : rgba[from];
        target.put(to, grey);
      } else {
        for (int i = 0; i < 3; i++) {
          target.put(to + i, rgba[from + i]);
        }
      }
      if (channels % 2 == 0) {
        target.put(to + channels - 1, rgba[from + 3]);
      }
    }
  }

  /**
   * Stock TensorFlow hands libpng the weights of red and blue where it wants those of red and
   * green; so do we, for the same numbers. Only samples of 16 bits are rounded.
   */
  private static int grey(int red, int green, int blue, boolean wide) {
    int redWeight = 29900 * 32768 / 100000;
    int greenWeight = 11400 * 32768 / 100000;
    int blueWeight = 32768 - redWeight - greenWeight;
    long sum = (long) redWeight * red + (long) greenWeight * green + (long) blueWeight * blue;
    return (int) (sum + (wide ? 1 << 14 : 0) >> 15);
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

  /** The image as the writers of the JDK take it; it shares the samples. */
  static BufferedImage image(Pixels pixels) {
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
