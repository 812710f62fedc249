package dev.tributary.internal.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The time by which limits are measured. Its origin is arbitrary, so that only differences mean
 * something. Safe for use by many threads.
 */
@FunctionalInterface
public interface Ticker {
  /** The time of this process. */
  Ticker SYSTEM = System::nanoTime;

  long nanos();

  /** Returns the time since a moment of this ticker. */
  default Duration since(long startNanos) {
    return Duration.ofNanos(nanos() - startNanos);
  }

  /** Blocks this thread until the time has passed. */
  default void sleep(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }
}
