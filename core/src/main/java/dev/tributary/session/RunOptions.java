package dev.tributary.session;

import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of one step.
 *
 * @param timeout after which the step fails with DEADLINE_EXCEEDED
 * @param trace whether to record the run times of all nodes
 */
public record RunOptions(Optional<Duration> timeout, boolean trace) {
  private static final RunOptions DEFAULTS = new RunOptions(Optional.empty(), false);

  public RunOptions {
    if (timeout.isPresent() && (timeout.get().isNegative() || timeout.get().isZero())) {
      throw TributaryException.invalidArgument(
          "a timeout must be longer than nothing, got %s", timeout.get());
    }
  }

  public static RunOptions defaults() {
    return DEFAULTS;
  }

  public RunOptions withTimeout(Duration limit) {
    return new RunOptions(Optional.of(limit), trace);
  }

  public RunOptions withTrace() {
    return new RunOptions(timeout, true);
  }
}
