package dev.tributary.internal.concurrent;

import java.time.Duration;

/** Formats durations for messages and logs. */
public final class TimeText {
  private static final long MILLIS_PER_SECOND = 1_000;

  private TimeText() {}

  /** {@code 5 s}, {@code 1500 ms} or {@code 20000 ns}: whole numbers of the largest unit. */
  public static String of(Duration time) {
    if (time.toMillisPart() * 1_000_000 != time.toNanosPart()) {
      return time.toNanos() + " ns";
    }
    long millis = time.toMillis();
    return millis % MILLIS_PER_SECOND == 0 ? millis / MILLIS_PER_SECOND + " s" : millis + " ms";
  }
}
