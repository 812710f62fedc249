package dev.tributary.app.digits;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A digit in a PNG image of any size and colour, to be brought into the form of the images that a
 * network has learnt from: light on black, the digit in the middle.
 *
 * @param ink how much of the digit is in each pixel, row by row, from 0 to 1
 */
record PngDigit(int height, int width, float[] ink) {
  /** Below this part of the strongest ink a pixel is background. */
  private static final float FAINTEST = 0.25f;

  /** The least difference in brightness between a digit and the background. */
  private static final float LEAST_CONTRAST = 0.1f;

  /** Images of up to this side are full to their edges; larger ones have a margin, as MNIST's. */
  private static final int SMALL_SIDE = 16;

  private static final double MARGIN = 4.0 / 28;

  /** Reads a file, and gives the pixels of an image of this size, as {@link #fit} does. */
  static float[] read(Path file, int newHeight, int newWidth) {
    try {
      return decode(Files.readAllBytes(file)).fit(newHeight, newWidth);
    } catch (IOException e) {
      throw FileFailure.of("read the image", file, e);
    } catch (TributaryException e) {
      throw e.at(file.toString());
    }
  }

  /**
   * Reads the content of a file. What is transparent is white; if the pixels at the edges are light
   * on average, the image is inverted.
   */
  private static PngDigit decode(byte[] content) {
    Pixels pixels = PngImages.decode(content, 2);
    float[] light = new float[pixels.height() * pixels.width()];
    for (int i = 0; i < light.length; i++) {
      float grey = Byte.toUnsignedInt(pixels.samples()[2 * i]) / 255f;
      float opacity = Byte.toUnsignedInt(pixels.samples()[2 * i + 1]) / 255f;
      light[i] = 1 - opacity + opacity * grey;
    }
    PngDigit image = new PngDigit(pixels.height(), pixels.width(), light);
    return image.edge() > 0.5 ? image.inverted() : image;
  }

  /**
   * The pixels of an image of this size. One that has this size already stays as it is. Others are
   * cut to the digit and scaled with their proportions, each new pixel the mean of the area that it
   * covers, so that the digit fills the image up to a margin of a seventh, or in images of up to 16
   * pixels, to the edge.
   */
  private float[] fit(int newHeight, int newWidth) {
    if (height == newHeight && width == newWidth) {
      return ink.clone();
    }
    PngDigit clear = stretched();
    Box box = clear.box();
    double margin = Math.max(newHeight, newWidth) > SMALL_SIDE ? MARGIN : 0;
    double scale =
        Math.max(
            (box.bottom - box.top) / (newHeight * (1 - 2 * margin)),
            (box.right - box.left) / (newWidth * (1 - 2 * margin)));
    double top = (box.top + box.bottom - newHeight * scale) / 2;
    double left = (box.left + box.right - newWidth * scale) / 2;
    float[] fitted = new float[newHeight * newWidth];
    for (int y = 0; y < newHeight; y++) {
      for (int x = 0; x < newWidth; x++) {
        fitted[y * newWidth + x] = clear.mean(top + y * scale, left + x * scale, scale);
      }
    }
    return fitted;
  }

  /** The mean of the pixels at the edges. */
  private float edge() {
    double sum = 0;
    int count = 0;
    for (int y = 0; y < height; y++) {
      boolean isEdgeRow = y == 0 || y == height - 1;
      for (int x = 0; x < width; x += isEdgeRow ? 1 : Math.max(1, width - 1)) {
        sum += ink[y * width + x];
        count++;
      }
    }
    return (float) (sum / count);
  }

  private PngDigit inverted() {
    float[] dark = new float[ink.length];
    for (int i = 0; i < dark.length; i++) {
      dark[i] = 1 - ink[i];
    }
    return new PngDigit(height, width, dark);
  }

  /** The same with a background of 0 and the strongest ink at 1. */
  private PngDigit stretched() {
    float background = edge();
    float strongest = 0;
    for (float value : ink) {
      strongest = Math.max(strongest, value);
    }
    if (strongest - background < LEAST_CONTRAST) {
      throw TributaryException.invalidArgument("there is no digit: all pixels are alike");
    }
    float[] clear = new float[ink.length];
    for (int i = 0; i < clear.length; i++) {
      clear[i] = Math.max(0, (ink[i] - background) / (strongest - background));
    }
    return new PngDigit(height, width, clear);
  }

  /** The smallest rectangle that holds the digit; right and bottom are just outside. */
  private record Box(int top, int left, int bottom, int right) {}

  private Box box() {
    Box box = new Box(height, width, 0, 0);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        if (ink[y * width + x] >= FAINTEST) {
          box =
              new Box(
                  Math.min(box.top, y),
                  Math.min(box.left, x),
                  Math.max(box.bottom, y + 1),
                  Math.max(box.right, x + 1));
        }
      }
    }
    return box;
  }

  /** The mean of a square, part of which may be outside of the image, where there is no ink. */
  private float mean(double top, double left, double side) {
    double sum = 0;
    int lastRow = (int) Math.min(height - 1, Math.ceil(top + side));
    int lastColumn = (int) Math.min(width - 1, Math.ceil(left + side));
    for (int y = (int) Math.max(0, Math.floor(top)); y <= lastRow; y++) {
      double rows = overlap(y, top, side);
      for (int x = (int) Math.max(0, Math.floor(left)); x <= lastColumn; x++) {
        sum += rows * overlap(x, left, side) * ink[y * width + x];
      }
    }
    return (float) (sum / (side * side));
  }

  /** Returns how much of the pixel at {@code at} is in the range that begins at {@code from}. */
  private static double overlap(int at, double from, double length) {
    return Math.max(0, Math.min(at + 1, from + length) - Math.max(at, from));
  }
}
