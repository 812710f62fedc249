package dev.tributary.optable;

import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import javax.imageio.ImageIO;

/** Random images as files have them. */
public final class ImageDraws {
  private ImageDraws() {}

  /**
   * A PNG image of 1 to 4 channels, or with a palette, or of 16 bits, or of one.
   *
   * @param mayBeBinary whether it may have one bit for each pixel
   */
  static byte[] png(Random random, boolean mayBeBinary) {
    int kind = random.nextInt(mayBeBinary ? 8 : 7);
    if (kind < 4) {
      return PngImages.encode(pixels(random, kind + 1), -1);
    }
    int[] types = {
      BufferedImage.TYPE_BYTE_INDEXED,
      BufferedImage.TYPE_USHORT_GRAY,
      BufferedImage.TYPE_INT_ARGB,
      BufferedImage.TYPE_BYTE_BINARY
    };
    return file("png", image(random, types[kind - 4]));
  }

  /** A JPEG image with smooth colours, or in grey. */
  public static byte[] jpeg(Random random, boolean isGrey) {
    int type = isGrey ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB;
    BufferedImage image = new BufferedImage(40, 30, type);
    int slope = 1 + random.nextInt(4);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        int red = slope * x;
        int blue = 2 * y + slope * x / 2;
        image.setRGB(x, y, red << 16 | (255 - slope * (x + y) / 2) << 8 | blue);
      }
    }
    return file("jpg", image);
  }

  /** A JPEG image of 2 x 3 black pixels in colours. */
  static byte[] blackJpeg() {
    return file("jpg", new BufferedImage(3, 2, BufferedImage.TYPE_INT_RGB));
  }

  /**
   * A BMP image of 1, 3 or 4 bytes a pixel, from the bottom up or, if it may, from the top down.
   */
  static byte[] bmp(Random random, boolean mayBeTopDown) {
    int channels = new int[] {1, 3, 4}[random.nextInt(3)];
    int width = 1 + random.nextInt(7);
    int height = 1 + random.nextInt(5);
    byte[] rows = new byte[(width * channels + 3) / 4 * 4 * height];
    random.nextBytes(rows);
    return bmp(width, mayBeTopDown && random.nextBoolean() ? -height : height, channels, rows);
  }

  /** A BMP image of these rows, whose lengths are multiples of 4 bytes. */
  public static byte[] bmp(int width, int height, int channels, byte[] rows) {
    int header = 54;
    return ByteBuffer.allocate(header + rows.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 'B')
        .put((byte) 'M')
        .putInt(header + rows.length)
        .putInt(0)
        .putInt(header)
        .putInt(40)
        .putInt(width)
        .putInt(height)
        .putShort((short) 1)
        .putShort((short) (8 * channels))
        .position(header)
        .put(rows)
        .array();
  }

  static Pixels pixels(Random random, int channels) {
    int height = 1 + random.nextInt(6);
    int width = 1 + random.nextInt(9);
    byte[] samples = new byte[height * width * channels];
    random.nextBytes(samples);
    return new Pixels(height, width, channels, samples);
  }

  static BufferedImage image(Random random, int type) {
    BufferedImage image = new BufferedImage(1 + random.nextInt(20), 1 + random.nextInt(5), type);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        image.setRGB(x, y, random.nextInt());
      }
    }
    return image;
  }

  static byte[] file(String format, BufferedImage image) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(image, format, bytes)) {
        throw new IllegalArgumentException("no writer for " + image);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
