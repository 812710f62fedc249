package dev.tributary.internal.kernel.math;

import java.util.Arrays;
import java.util.Comparator;

/** Orders of numbers. */
final class Sorting {
  private Sorting() {}

  /** The places of numbers from the least to the greatest. */
  static int[] increasing(double[] values) {
    Integer[] order = new Integer[values.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble(i -> values[i]));
    return Arrays.stream(order).mapToInt(i -> i).toArray();
  }

  /** The places of numbers from the greatest to the least. */
  static int[] decreasing(double[] values) {
    double[] negative = new double[values.length];
    Arrays.setAll(negative, i -> -values[i]);
    return increasing(negative);
  }
}
