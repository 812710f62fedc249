package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * GIF images and animations. As in TensorFlow, all frames are as large as the largest of them,
 * whatever the screen is, and what a frame leaves out stays from the one before it, or is black.
 */
public final class GifImages {
  /** Frames of the same size, one below the other, in colours. */
  public record Frames(int count, Pixels pixels) {}

  /**
   * A frame of the file.
   *
   * @param colors its own palette or that of all frames: red, green and blue
   * @param transparent the colour that leaves the pixel as it is; -1 for none
   * @param literalBits the bits of a pixel before compression
   * @param data the compressed pixels
   */
  private record Frame(
      int left,
      int top,
      int width,
      int height,
      boolean isInterlaced,
      byte[] colors,
      int transparent,
      int literalBits,
      byte[] data) {}

  private static final int IMAGE = 0x2c;
  private static final int EXTENSION = 0x21;
  private static final int TRAILER = 0x3b;
  private static final int GRAPHIC_CONTROL = 0xf9;
  private static final int HAS_PALETTE = 0x80;
  private static final int INTERLACED = 0x40;
  private static final int PALETTE_BITS = 7;
  private static final int RGB = 3;
  private static final int[][] PASSES = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};

  private final byte[] file;
  private final List<Frame> frames = new ArrayList<>();
  private int at;

  private GifImages(byte[] file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @param all whether to give all frames, or the first one only
   */
  public static Frames decode(byte[] content, boolean all) {
    ImageKind.GIF.require(content);
    GifImages images = new GifImages(content);
    images.read();
    return images.frames(all ? images.frames.size() : 1);
  }

  private void read() {
    at = 10;
    int flags = next();
    at += 2;
    byte[] colors = (flags & HAS_PALETTE) == 0 ? new byte[0] : palette(flags);
    int transparent = -1;
    // Some writers leave out the trailer.
    while (at < file.length || frames.isEmpty()) {
      int block = next();
      if (block == TRAILER) {
        break;
      }
      if (block == IMAGE) {
        readFrame(colors, transparent);
        transparent = -1;
      } else if (block == EXTENSION) {
        boolean isControl = next() == GRAPHIC_CONTROL;
        byte[] content = blocks();
        if (isControl && content.length >= 4 && (content[0] & 1) != 0) {
          transparent = content[3] & 0xff;
        }
      } else {
        throw damaged("block of type " + block + " at byte " + (at - 1));
      }
    }
    if (frames.isEmpty()) {
      throw damaged("there is no image in it");
    }
  }

  private void readFrame(byte[] common, int transparent) {
    int left = number();
    int top = number();
    int width = number();
    int height = number();
    int flags = next();
    byte[] colors = (flags & HAS_PALETTE) == 0 ? common : palette(flags);
    int literalBits = next();
    if (literalBits < 1 || literalBits > Byte.SIZE) {
      throw damaged("pixels of " + literalBits + " bits");
    }
    byte[] data = blocks();
    Pixels.requireSize(height, width, RGB);
    long codes = (long) data.length * Byte.SIZE / (literalBits + 1);
    if ((long) width * height > codes * GifLzw.MOST_OF_A_CODE) {
      throw damaged(width + " x " + height + " pixels cannot come from " + data.length + " bytes");
    }
    boolean interlaced = (flags & INTERLACED) != 0;
    frames.add(
        new Frame(left, top, width, height, interlaced, colors, transparent, literalBits, data));
  }

  private Frames frames(int count) {
    int width = frames.stream().mapToInt(Frame::width).max().orElseThrow();
    int height = frames.stream().mapToInt(Frame::height).max().orElseThrow();
    long rows = (long) count * height;
    Pixels pixels = new Pixels((int) Math.min(Integer.MAX_VALUE, rows), width, RGB);
    for (int i = 0; i < count; i++) {
      int size = width * height * RGB;
      if (i > 0) {
        System.arraycopy(pixels.samples(), (i - 1) * size, pixels.samples(), i * size, size);
      }
      draw(frames.get(i), width, height, pixels.samples(), i * size);
    }
    return new Frames(count, pixels);
  }

  /** Draws the part of a frame that is inside of the first {@code height} rows. */
  private static void draw(Frame frame, int width, int height, byte[] samples, int start) {
    byte[] numbers = new byte[frame.width() * frame.height()];
    GifLzw.decode(frame.data(), frame.literalBits(), numbers);
    int[] rows = rows(frame);
    for (int i = 0; i < rows.length; i++) {
      int y = frame.top() + rows[i];
      for (int x = 0; y < height && x < frame.width() && frame.left() + x < width; x++) {
        int color = numbers[i * frame.width() + x] & 0xff;
        if (color == frame.transparent()) {
          continue;
        }
        if (color * RGB >= frame.colors().length) {
          throw damaged(
              "color " + color + " of a palette of " + frame.colors().length / RGB + " colors");
        }
        int to = start + (y * width + frame.left() + x) * RGB;
        System.arraycopy(frame.colors(), color * RGB, samples, to, RGB);
      }
    }
  }

  /** The rows of a frame in the order in which the file has them. */
  private static int[] rows(Frame frame) {
    int[] rows = new int[frame.height()];
    int count = 0;
    int[][] passes = frame.isInterlaced() ? PASSES : new int[][] {{0, 1}};
    for (int[] pass : passes) {
      for (int y = pass[0]; y < rows.length; y += pass[1]) {
        rows[count++] = y;
      }
    }
    return rows;
  }

  private byte[] palette(int flags) {
    int length = RGB * (2 << (flags & PALETTE_BITS));
    require(length);
    byte[] colors = new byte[length];
    System.arraycopy(file, at, colors, 0, length);
    at += length;
    return colors;
  }

  /** A chain of blocks of up to 255 bytes, which an empty one ends. */
  private byte[] blocks() {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    int length = next();
    while (length > 0) {
      require(length);
      content.write(file, at, length);
      at += length;
      length = next();
    }
    return content.toByteArray();
  }

  private int number() {
    int low = next();
    return low | next() << Byte.SIZE;
  }

  private int next() {
    require(1);
    return file[at++] & 0xff;
  }

  private void require(int length) {
    if (at + length > file.length) {
      throw damaged("it ends after " + file.length + " bytes, within an image");
    }
  }

  private static TributaryException damaged(String how) {
    return TributaryException.invalidArgument("Invalid GIF data: %s", how);
  }
}
