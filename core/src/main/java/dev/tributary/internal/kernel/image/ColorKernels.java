package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels that turn each pixel of red, green and blue into another one, or into hue, saturation
 * and value. Every step is rounded to the element type, as TensorFlow does.
 */
public final class ColorKernels {
  /** About how many pixels are worth a thread. */
  private static final long GRAIN = 1 << 12;

  /** Replaces the three elements of a pixel. */
  @FunctionalInterface
  private interface Pixel {
    void turn(double[] pixel);
  }

  private ColorKernels() {}

  public static Kernel rgbToHsv(KernelNode node) {
    RealElements elements = RealElements.of(node.type());
    return context -> {
      Shape shape = context.input(0).shape();
      requireColors(shape, 1);
      forEachPixel(context, elements, pixel -> toHsv(elements, pixel));
    };
  }

  public static Kernel hsvToRgb(KernelNode node) {
    RealElements elements = RealElements.of(node.type());
    return context -> {
      Shape shape = context.input(0).shape();
      requireColors(shape, 1);
      forEachPixel(context, elements, pixel -> toRgb(elements, pixel));
    };
  }

  /** AdjustHue: input 1 is what is added to the hue, where 1 is the whole circle. */
  public static Kernel adjustHue(KernelNode node) {
    RealElements elements = RealElements.of(node.type());
    return context -> {
      requireColors(context.input(0).shape(), 3);
      float delta = scalar(context.input(1), "delta");
      forEachPixel(context, elements, pixel -> Hues.turn(pixel, delta));
    };
  }

  /** AdjustSaturation: input 1 is the factor of the saturation. */
  public static Kernel adjustSaturation(KernelNode node) {
    RealElements elements = RealElements.of(node.type());
    return context -> {
      requireColors(context.input(0).shape(), 3);
      float scale = scalar(context.input(1), "scale");
      forEachPixel(context, elements, pixel -> Saturation.scale(pixel, scale));
    };
  }

  private static void forEachPixel(KernelContext context, RealElements elements, Pixel action) {
    Tensor images = context.input(0);
    Tensor output = context.allocateOutput(0, images.shape());
    int size = elements.size();
    context
        .device()
        .backend()
        .parallel()
        .range(
            images.elementCount() / 3,
            GRAIN,
            (first, end) -> {
              double[] pixel = new double[3];
              for (long i = 3 * first; i < 3 * end; i += 3) {
                for (int c = 0; c < 3; c++) {
                  pixel[c] = elements.get(images.storage().address() + (i + c) * size);
                }
                action.turn(pixel);
                for (int c = 0; c < 3; c++) {
                  elements.put(output.storage().address() + (i + c) * size, pixel[c]);
                }
              }
            });
  }

  private static void toHsv(RealElements elements, double[] pixel) {
    double red = pixel[0];
    double green = pixel[1];
    double blue = pixel[2];
    double value = Math.max(red, Math.max(green, blue));
    double range = elements.round(value - Math.min(red, Math.min(green, blue)));
    double hue = 0;
    if (range > 0) {
      double norm = elements.round(elements.round(1 / range) * elements.round(1.0 / 6));
      if (red == value) {
        hue = part(elements, norm, green - blue, 0);
      } else if (green == value) {
        hue = part(elements, norm, blue - red, 2);
      } else {
        hue = part(elements, norm, red - green, 4);
      }
    }
    pixel[0] = hue < 0 ? hue + 1 : hue;
    pixel[1] = value > 0 ? range / value : 0;
    pixel[2] = value;
  }

  private static double part(RealElements elements, double norm, double difference, int sixths) {
    double hue = elements.round(norm * elements.round(difference));
    return elements.round(hue + elements.round(sixths / 6.0));
  }

  private static void toRgb(RealElements elements, double[] pixel) {
    double sixths = elements.round(pixel[0] * 6);
    double saturation = pixel[1];
    double value = pixel[2];
    double rest = elements.round(1 - saturation);
    double red = Math.abs(elements.round(sixths - 3)) - 1;
    double green = 2 - Math.abs(elements.round(sixths - 2));
    double blue = 2 - Math.abs(elements.round(sixths - 4));
    pixel[0] = mixed(elements, saturation, red, rest) * value;
    pixel[1] = mixed(elements, saturation, green, rest) * value;
    pixel[2] = mixed(elements, saturation, blue, rest) * value;
  }

  private static double mixed(RealElements elements, double saturation, double color, double rest) {
    double clipped = Math.min(1, Math.max(0, elements.round(color)));
    return elements.round(rest + elements.round(saturation * clipped));
  }

  private static void requireColors(Shape shape, int rank) {
    if (shape.rank() < rank) {
      throw TributaryException.invalidArgument(
          "images must have rank %d or more, got shape %s", rank, shape);
    }
    if (shape.size(-1) != 3) {
      throw TributaryException.invalidArgument(
          "images must have 3 channels in their last dimension, got shape %s", shape);
    }
  }

  /** The value of a float scalar. */
  static float scalar(Tensor tensor, String what) {
    IndexTensors.requireScalar(tensor, what);
    return tensor.getFloat(0);
  }
}
