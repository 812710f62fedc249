package dev.tributary.internal.kernel.image;

/**
 * Turns the hue of a pixel while its largest and smallest element stay. Hues are from 0 to 6: where
 * the largest and the middle element are, and how far the middle one is from the smallest. In
 * float, as TensorFlow does.
 */
final class Hues {
  private static final int CIRCLE = 6;

  /** The places of the largest, the middle and the smallest element in each sixth. */
  private static final int[][] ORDER = {
    {0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {2, 1, 0}, {2, 0, 1}, {0, 2, 1}
  };

  private Hues() {}

  /** Moves the hue by a part of the circle. */
  static void turn(double[] pixel, float delta) {
    int sixth = sixth(pixel[0], pixel[1], pixel[2]);
    int[] order = ORDER[sixth];
    float largest = (float) pixel[order[0]];
    float middle = (float) pixel[order[1]];
    float smallest = (float) pixel[order[2]];
    float hue = 0;
    if (largest != smallest) {
      float ratio = (middle - smallest) / (largest - smallest);
      hue = sixth + (sixth % 2 == 0 ? ratio : 1 - ratio);
    }
    hue = inCircle(hue + delta * CIRCLE);
    int turned = (int) hue;
    float ratio = turned % 2 == 0 ? hue - turned : 1 - (hue - turned);
    int[] places = ORDER[Math.min(turned, CIRCLE - 1)];
    pixel[places[0]] = largest;
    pixel[places[1]] = smallest + ratio * (largest - smallest);
    pixel[places[2]] = smallest;
  }

  private static int sixth(double red, double green, double blue) {
    if (red < green) {
      if (blue < red) {
        return 1;
      }
      return blue > green ? 3 : 2;
    }
    if (blue < green) {
      return 0;
    }
    return blue > red ? 4 : 5;
  }

  /** Takes full turns away, as many as there are. */
  private static float inCircle(float hue) {
    float rest = hue % CIRCLE;
    if (rest < 0) {
      rest += CIRCLE;
    }
    return rest >= CIRCLE ? rest - CIRCLE : rest;
  }
}
