package dev.tributary.cluster.sim;

import dev.tributary.internal.time.Timer;
import java.time.Duration;

/** A task's timer, on the clock of the simulation. */
record SimulatedTimer(Scheduler scheduler, String owner) implements Timer {
  @Override
  public long nanos() {
    return scheduler.now();
  }

  @Override
  public Alarm after(Duration delay, Runnable task) {
    return scheduler.after(delay, owner + " timer", task)::cancel;
  }

  @Override
  public boolean isClosed() {
    return false;
  }
}
