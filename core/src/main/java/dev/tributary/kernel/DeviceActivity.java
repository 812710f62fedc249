package dev.tributary.kernel;

import java.util.concurrent.atomic.LongAdder;

/**
 * How many steps have begun on a device, so that long work there can tell whether others run beside
 * it. Safe for use by many threads.
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
