package dev.tributary.train.queue;

import dev.tributary.internal.time.Ticker;
import java.time.Duration;

/**
 * A daemon thread that repeats an action until a stop is requested from its coordinator; a failure
 * of the action requests one. Repetitions begin one interval apart, the first one at once, and the
 * schedule does not drift; an interval of zero repeats without a pause.
 */
final class LooperThread extends Thread {
  private final Coordinator coordinator;
  private final Duration interval;
  private final Runnable body;
  private final Ticker clock;

  LooperThread(
      String name, Coordinator coordinator, Duration interval, Runnable body, Ticker clock) {
    super(name);
    this.coordinator = coordinator;
    this.interval = interval;
    this.body = body;
    this.clock = clock;
    setDaemon(true);
  }

  @Override
  public void run() {
    coordinator.stopOnException(this::repeat);
  }

  private void repeat() {
    long next = clock.nanos();
    while (!coordinator.waitForStop(Duration.ofNanos(Math.max(0, next - clock.nanos())))) {
      body.run();
      next += interval.toNanos();
    }
  }
}
