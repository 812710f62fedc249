package dev.tributary.cluster.sim;

import java.time.Duration;
import java.util.Random;

/**
 * How well messages travel.
 *
 * @param lossRate how many calls lose their request or their answer
 * @param stallRate how many calls get no answer until their time is over or the connection is found
 *     dead
 * @param latenessRate how many messages take seconds
 */
record NetworkConditions(double lossRate, double stallRate, double latenessRate) {
  private static final double MEAN_MILLIS = 0.3;
  private static final double SLOW_RATE = 0.05;
  private static final double SLOW_MILLIS = 50;
  private static final double LATE_MILLIS = 20_000;

  /** What becomes of a call. */
  enum Fate {
    ARRIVES,
    REQUEST_LOST,
    ANSWER_LOST,
    STALLED
  }

  /** Messages overtake each other, but all of them arrive. */
  static NetworkConditions good() {
    return new NetworkConditions(0, 0, 0);
  }

  Fate fate(Random random) {
    double roll = random.nextDouble();
    if (roll < stallRate) {
      return Fate.STALLED;
    }
    if (roll < stallRate + lossRate) {
      return random.nextBoolean() ? Fate.REQUEST_LOST : Fate.ANSWER_LOST;
    }
    return Fate.ARRIVES;
  }

  /** How long a message takes. */
  Duration delay(Random random) {
    double roll = random.nextDouble();
    double millis = -MEAN_MILLIS * Math.log(1 - random.nextDouble());
    if (roll < latenessRate) {
      millis = LATE_MILLIS * random.nextDouble();
    } else if (roll < latenessRate + SLOW_RATE) {
      millis = SLOW_MILLIS * random.nextDouble();
    }
    return Duration.ofNanos((long) (millis * 1e6));
  }
}
