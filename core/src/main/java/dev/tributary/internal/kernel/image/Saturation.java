package dev.tributary.internal.kernel.image;

/**
 * Scales the saturation of a pixel, by way of its hue (0 to 1), saturation and value. In float, as
 * TensorFlow does.
 */
final class Saturation {
  private Saturation() {}

  static void scale(double[] pixel, float scale) {
    float red = (float) pixel[0];
    float green = (float) pixel[1];
    float blue = (float) pixel[2];
    float value = Math.max(red, Math.max(green, blue));
    float range = value - Math.min(red, Math.min(green, blue));
    float saturation = value > 0 ? range / value : 0;
    float scaled = Math.min(1, Math.max(0, saturation * scale));
    set(pixel, hue(red, green, blue, value, range), scaled, value);
  }

  private static float hue(float red, float green, float blue, float value, float range) {
    if (range <= 0) {
      return 0;
    }
    float norm = 1 / (6 * range);
    float hue;
    if (red == value) {
      hue = norm * (green - blue);
    } else if (green == value) {
      hue = (float) (norm * (blue - red) + 2.0 / 6);
    } else {
      hue = (float) (norm * (red - green) + 4.0 / 6);
    }
    return hue < 0 ? hue + 1 : hue;
  }

  private static void set(double[] pixel, float hue, float saturation, float value) {
    float chroma = saturation * value;
    float least = value - chroma;
    float sixths = hue * 6;
    float middle = chroma * (1 - Math.abs(sixths % 2 - 1));
    float red = 0;
    float green = 0;
    float blue = 0;
    switch ((int) sixths) {
      case 0 -> {
        red = chroma;
        green = middle;
      }
      case 1 -> {
        red = middle;
        green = chroma;
      }
      case 2 -> {
        green = chroma;
        blue = middle;
      }
      case 3 -> {
        green = middle;
        blue = chroma;
      }
      case 4 -> {
        red = middle;
        blue = chroma;
      }
      case 5 -> {
        red = chroma;
        blue = middle;
      }
      default -> {
        // Rounding of the hue to a full turn: black, as in TensorFlow.
      }
    }
    pixel[0] = red + least;
    pixel[1] = green + least;
    pixel[2] = blue + least;
  }
}
