package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import java.time.Duration;

/**
 * Times for the detection of dead workers. Immutable.
 *
 * @param beat the interval between heartbeats of a worker
 * @param limit the time without a heartbeat after which a worker is taken for dead; it may come
 *     back
 */
public record Liveness(Duration beat, Duration limit) {
  public Liveness {
    if (beat.isNegative() || beat.isZero() || limit.compareTo(beat) <= 0) {
      throw TributaryException.invalidArgument(
          "liveness with a heartbeat every %s and a limit of %s; wanted a positive interval and a"
              + " longer limit",
          TimeText.of(beat), TimeText.of(limit));
    }
  }

  /** Returns a heartbeat every second and a limit of ten seconds. */
  public static Liveness defaults() {
    return new Liveness(Duration.ofSeconds(1), Duration.ofSeconds(10));
  }
}
