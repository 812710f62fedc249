package dev.tributary.train.hook;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Tells when to do something again. Confined to one thread. */
final class StepTimer {
  /** What lies between two times that it was done. */
  record Elapsed(Duration time, long steps) {
    double stepsPerSecond() {
      return steps / (time.toNanos() * 1e-9);
    }
  }

  private final Interval interval;
  private final LongSupplier nanoTime;
  private OptionalLong lastStep = OptionalLong.empty();
  private long lastNanos;

  StepTimer(Interval interval) {
    this(interval, System::nanoTime);
  }

  StepTimer(Interval interval, LongSupplier nanoTime) {
    this.interval = interval;
    this.nanoTime = nanoTime;
  }

  /** Whether it is time: always at first, and never twice for one step. */
  boolean shouldTrigger(long step) {
    if (lastStep.isEmpty()) {
      return true;
    }
    if (step == lastStep.getAsLong()) {
      return false;
    }
    return interval.time().isPresent()
        ? nanoTime.getAsLong() - lastNanos >= interval.time().get().toNanos()
        : step >= lastStep.getAsLong() + interval.steps().getAsLong();
  }

  /** Takes note that it was done, and tells how far the time before is away. */
  Optional<Elapsed> triggered(long step) {
    long now = nanoTime.getAsLong();
    Optional<Elapsed> elapsed =
        lastStep.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Elapsed(Duration.ofNanos(now - lastNanos), step - lastStep.getAsLong()));
    lastStep = OptionalLong.of(step);
    lastNanos = now;
    return elapsed;
  }

  /** Whether it was done last at this step. */
  boolean wasTriggeredAt(long step) {
    return lastStep.isPresent() && lastStep.getAsLong() == step;
  }
}
