package dev.tributary.train.hook;

import dev.tributary.internal.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A timer for actions that hooks repeat. Confined to one thread. */
final class StepTimer {
  /** The time and steps between two actions. */
  record Elapsed(Duration time, long steps) {
    double stepsPerSecond() {
      return steps / (time.toNanos() * 1e-9);
    }
  }

  private final Interval interval;
  private final Ticker ticker;
  private OptionalLong lastStep = OptionalLong.empty();
  private long lastNanos;

  StepTimer(Interval interval) {
    this(interval, Ticker.SYSTEM);
  }

  StepTimer(Interval interval, Ticker ticker) {
    this.interval = interval;
    this.ticker = ticker;
  }

  /** Returns whether to act at a step: always at first, and never twice at one step. */
  boolean shouldTrigger(long step) {
    if (lastStep.isEmpty()) {
      return true;
    }
    if (step == lastStep.getAsLong()) {
      return false;
    }
    return interval.time().isPresent()
        ? isTime()
        : step >= lastStep.getAsLong() + interval.steps().getAsLong();
  }

  /** Returns whether the time of the interval has passed, if it is a time. */
  boolean isTime() {
    return lastStep.isEmpty()
        || (interval.time().isPresent()
            && ticker.nanos() - lastNanos >= interval.time().get().toNanos());
  }

  /** Records an action. Returns what has passed since the one before, if there was one. */
  Optional<Elapsed> triggered(long step) {
    long now = ticker.nanos();
    Optional<Elapsed> elapsed =
        lastStep.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Elapsed(Duration.ofNanos(now - lastNanos), step - lastStep.getAsLong()));
    lastStep = OptionalLong.of(step);
    lastNanos = now;
    return elapsed;
  }

  /** Returns whether the last action was at this step. */
  boolean wasTriggeredAt(long step) {
    return lastStep.isPresent() && lastStep.getAsLong() == step;
  }
}
