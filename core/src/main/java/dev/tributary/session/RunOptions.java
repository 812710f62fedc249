package dev.tributary.session;

import java.time.Duration;
import java.util.Optional;

/**
 * Settings of one step.
 *
 * @param timeout after which the step fails with DEADLINE_EXCEEDED
 * @param trace whether to record what each node took
 */
public record RunOptions(Optional<Duration> timeout, boolean trace) {
  public static RunOptions defaults() {
    return new RunOptions(Optional.empty(), false);
  }

  public RunOptions withTimeout(Duration limit) {
    return new RunOptions(Optional.of(limit), trace);
  }

  public RunOptions withTrace() {
    return new RunOptions(timeout, true);
  }
}
