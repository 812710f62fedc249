package dev.tributary.train.hook;

import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The interval between actions of a hook: either a time or a number of steps. Immutable.
 *
 * @param time the time between two actions
 * @param steps the steps between two actions
 * @param onlyIfCheap whether a checkpoint waits longer if saving would take too much of the time
 */
public record Interval(Optional<Duration> time, OptionalLong steps, boolean onlyIfCheap) {
  public Interval {
    if (time.isPresent() == steps.isPresent()) {
      throw TributaryException.invalidArgument(
          "an interval is either a time or a number of steps, got %s and %s", time, steps);
    }
    if (time.isPresent() && (time.get().isNegative() || time.get().isZero())) {
      throw TributaryException.invalidArgument("an interval must be positive, got %s", time.get());
    }
    if (steps.isPresent() && steps.getAsLong() < 1) {
      throw TributaryException.invalidArgument(
          "an interval needs 1 step or more, got %d", steps.getAsLong());
    }
  }

  public static Interval of(Duration time) {
    return new Interval(Optional.of(time), OptionalLong.empty(), false);
  }

  public static Interval ofSteps(long steps) {
    return new Interval(Optional.empty(), OptionalLong.of(steps), false);
  }

  /** Returns a time between checkpoints, longer if saves take more than a twentieth of it. */
  public static Interval ofIfCheap(Duration time) {
    return new Interval(Optional.of(time), OptionalLong.empty(), true);
  }
}
