package dev.tributary.bench.training;

/**
 * The goal of a quantity.
 *
 * @param words as a table shows it
 */
record Goal(String words, double bound, boolean atLeast) {
  static Goal atLeast(double bound, String words) {
    return new Goal("at least " + words, bound, true);
  }

  static Goal under(double bound, String words) {
    return new Goal("under " + words, bound, false);
  }

  boolean isReachedBy(double value) {
    return atLeast ? value >= bound : value < bound;
  }
}
