package dev.tributary.train.monitored;

import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Tells when to do something again: after a time, or after a number of steps. Confined to one
 * thread.
 */
public final class StepTimer {
  private final Optional<Duration> every;
  private final OptionalLong everySteps;
  private final LongSupplier nanoTime;
  private OptionalLong lastStep = OptionalLong.empty();
  private long lastNanos;

  StepTimer(Optional<Duration> every, OptionalLong everySteps, LongSupplier nanoTime) {
    this.every = every;
    this.everySteps = everySteps;
    this.nanoTime = nanoTime;
  }

  public static StepTimer everySteps(long steps) {
    if (steps < 1) {
      throw TributaryException.invalidArgument("a timer needs 1 step or more, got %d", steps);
    }
    return new StepTimer(Optional.empty(), OptionalLong.of(steps), System::nanoTime);
  }

  public static StepTimer every(Duration time) {
    return new StepTimer(Optional.of(time), OptionalLong.empty(), System::nanoTime);
  }

  /** Whether it is time: always at first, and never twice for one step. */
  public boolean shouldTrigger(long step) {
    if (lastStep.isEmpty()) {
      return true;
    }
    if (step == lastStep.getAsLong()) {
      return false;
    }
    return every.isPresent()
        ? nanoTime.getAsLong() - lastNanos >= every.get().toNanos()
        : step >= lastStep.getAsLong() + everySteps.getAsLong();
  }

  /** Takes note that it was done. */
  public void triggered(long step) {
    lastStep = OptionalLong.of(step);
    lastNanos = nanoTime.getAsLong();
  }

  /** The step at which it was done last. */
  public OptionalLong lastStep() {
    return lastStep;
  }
}
