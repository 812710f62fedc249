package dev.tributary.internal.kernel;

import java.util.concurrent.atomic.LongAdder;

/**
 * The number of steps that have begun on a device, so that long work can see whether others run
 * beside it. Safe for use by many threads.
 */
public final class DeviceActivity {
  private final LongAdder steps = new LongAdder();

  /** For the executor, once for each step. */
  public void stepBegins() {
    steps.increment();
  }

  public long stepsBegun() {
    return steps.sum();
  }
}
