package dev.tributary.internal.time;

import java.time.Duration;

/** The moment when a timeout ends. Immutable. */
public record Deadline(Ticker ticker, long nanos) {
  /** The deadline of a timeout that begins now. */
  public static Deadline in(Duration timeout, Ticker ticker) {
    return new Deadline(ticker, ticker.nanos() + timeout.toNanos());
  }

  public boolean isOver() {
    return nanosLeft() <= 0;
  }

  /** Returns the time that is left; nothing if the deadline is over. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanosLeft()));
  }

  private long nanosLeft() {
    return nanos - ticker.nanos();
  }
}
