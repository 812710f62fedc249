package dev.tributary.bench;

import java.util.Arrays;

/** The microseconds that single runs took. Immutable. */
public final class Singles {
  private final double[] sorted;

  public Singles(double[] micros) {
    sorted = micros.clone();
    Arrays.sort(sorted);
  }

  public double median() {
    return sorted[sorted.length / 2];
  }

  /** The value that this many of a hundred runs stayed below. */
  double percentile(int percent) {
    return sorted[sorted.length * percent / 100];
  }
}
