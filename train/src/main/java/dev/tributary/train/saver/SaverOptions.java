package dev.tributary.train.saver;

import dev.tributary.error.TributaryException;
import java.time.Clock;
import java.time.Duration;

/**
 * Options of a {@link Saver}. Immutable.
 *
 * @param maxToKeep the number of checkpoints to keep; 0 for all
 * @param keepEvery one checkpoint of each such time is kept for ever
 * @param sharded whether each task writes its own variables; all tasks must see the same folder
 *     then
 * @param clock the clock for the age of checkpoints
 */
public record SaverOptions(int maxToKeep, Duration keepEvery, boolean sharded, Clock clock) {
  public SaverOptions {
    if (maxToKeep < 0) {
      throw TributaryException.invalidArgument(
          "a saver keeps 0 (all) or more checkpoints, got %d", maxToKeep);
    }
  }

  /** The last five, in one piece: TensorFlow's. */
  public static SaverOptions defaults() {
    return new SaverOptions(5, Duration.ofHours(10_000), false, Clock.systemUTC());
  }

  public SaverOptions withMaxToKeep(int count) {
    return new SaverOptions(count, keepEvery, sharded, clock);
  }

  public SaverOptions withKeepEvery(Duration time) {
    return new SaverOptions(maxToKeep, time, sharded, clock);
  }

  public SaverOptions withSharding() {
    return new SaverOptions(maxToKeep, keepEvery, true, clock);
  }

  public SaverOptions withClock(Clock newClock) {
    return new SaverOptions(maxToKeep, keepEvery, sharded, newClock);
  }
}
