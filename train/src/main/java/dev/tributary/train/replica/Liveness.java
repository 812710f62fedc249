package dev.tributary.train.replica;

import dev.tributary.error.TimeText;
import dev.tributary.error.TributaryException;
import java.time.Duration;

/**
 * How workers know which of them are alive.
 *
 * @param beat how often each says so
 * @param limit after what silence the others take it for dead; it may come back
 */
public record Liveness(Duration beat, Duration limit) {
  public Liveness {
    if (beat.isNegative() || beat.isZero() || limit.compareTo(beat) <= 0) {
      throw TributaryException.invalidArgument(
          "a worker says each %s that it is alive and is taken for dead after %s; wanted a beat"
              + " above zero and a limit above that",
          TimeText.of(beat), TimeText.of(limit));
    }
  }

  /** A beat each second, and death after ten without one. */
  public static Liveness defaults() {
    return new Liveness(Duration.ofSeconds(1), Duration.ofSeconds(10));
  }
}
