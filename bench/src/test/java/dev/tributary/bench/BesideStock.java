package dev.tributary.bench;

import dev.tributary.bench.network.Network;
import java.util.Arrays;
import java.util.Locale;

/**
 * A comparison of Tributary with stock TensorFlow in one process. Rounds of both alternate, so that
 * other work on the machine slows both down alike, and each round is short, so that some rounds are
 * not interrupted at all. It reports the shortest and the median round of each runtime.
 */
final class BesideStock {
  private static final int WARM_UP_ROUNDS = 40;
  private static final int ROUNDS = 200;
  private static final double ROUND_SECONDS = 0.03;

  private BesideStock() {}

  /** Returns nanoseconds for each example or call of the line, of both runtimes, with ratios. */
  static String measure(NetworkLine line) {
    Network network = line.network().get();
    try (NetworkStep ours = NetworkStep.tributary(network);
        NetworkStep stock = StockStep.of(network)) {
      double[][] nanos = new double[2][ROUNDS];
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        nanos[0][Math.max(0, round)] = 1e9 / Timing.COURSE.rate(ROUND_SECONDS, ours::run);
        nanos[1][Math.max(0, round)] = 1e9 / Timing.COURSE.rate(ROUND_SECONDS, stock::run);
      }
      Arrays.stream(nanos).forEach(Arrays::sort);
      return compared("shortest", nanos, 0, line.count())
          + ", "
          + compared("median", nanos, ROUNDS / 2, line.count());
    }
  }

  private static String compared(String what, double[][] nanos, int round, int count) {
    double ours = nanos[0][round] / count;
    double stock = nanos[1][round] / count;
    return String.format(
        Locale.ROOT, "%s %.0f ns beside %.0f ns (%.2f x)", what, ours, stock, ours / stock);
  }
}
