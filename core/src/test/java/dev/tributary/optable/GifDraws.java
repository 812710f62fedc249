package dev.tributary.optable;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;

/** GIF images as files have them. */
public final class GifDraws {
  /** The bits of a pixel; codes are one bit longer, which makes them whole bytes. */
  private static final int BITS = 7;

  private static final int CLEAR = 1 << BITS;
  private static final int END = CLEAR + 1;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();

  private GifDraws() {}

  /** Two frames of 1 x 2 pixels, of which the second one covers the last pixel only. */
  static byte[] twoFrames() {
    GifDraws gif = new GifDraws();
    gif.header(2, 1, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0});
    gif.frame(0, 0, 2, 1, 0, new byte[] {0, 1});
    gif.frame(1, 0, 1, 1, 0, new byte[] {2});
    return gif.end();
  }

  /** An animation of frames of several sizes, or a picture that a usual writer has compressed. */
  public static byte[] gif(Draw d, boolean mayBeAnimated) {
    if (!mayBeAnimated || d.integer(0, 2) == 0) {
      BufferedImage image = ImageDraws.image(d.random(), BufferedImage.TYPE_BYTE_INDEXED);
      return ImageDraws.file("gif", image);
    }
    GifDraws gif = new GifDraws();
    byte[] colors = new byte[3 << BITS];
    d.random().nextBytes(colors);
    gif.header(9, 9, colors);
    for (int frames = d.integer(1, 4); frames > 0; frames--) {
      int width = d.integer(1, 9);
      int height = d.integer(1, 9);
      byte[] pixels = new byte[width * height];
      for (int i = 0; i < pixels.length; i++) {
        pixels[i] = (byte) d.integer(0, 3);
      }
      if (d.flip()) {
        gif.write(0x21, 0xf9, 4, 1, 0, 0, d.integer(0, 3), 0);
      }
      gif.frame(d.integer(0, 3), d.integer(0, 3), width, height, d.flip() ? 0x40 : 0, pixels);
    }
    return gif.end();
  }

  private void header(int width, int height, byte[] colors) {
    file.writeBytes(new byte[] {'G', 'I', 'F', '8', '9', 'a'});
    int colorBits = Integer.numberOfTrailingZeros(colors.length / 3) - 1;
    write(width, 0, height, 0, 0x80 | colorBits, 0, 0);
    file.writeBytes(colors);
  }

  /** Clears the table before each pixel, so that codes keep their length. */
  private void frame(int left, int top, int width, int height, int flags, byte[] pixels) {
    write(0x2c, left, 0, top, 0, width, 0, height, 0, flags, BITS);
    for (byte pixel : pixels) {
      write(2, CLEAR, pixel);
    }
    write(1, END, 0);
  }

  private byte[] end() {
    write(0x3b);
    return file.toByteArray();
  }

  private void write(int... bytes) {
    for (int one : bytes) {
      file.write(one);
    }
  }
}
