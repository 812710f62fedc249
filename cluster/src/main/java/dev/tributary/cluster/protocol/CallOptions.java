package dev.tributary.cluster.protocol;

import dev.tributary.kernel.Cancellation;
import java.time.Duration;
import java.util.Optional;

/**
 * How a call is made.
 *
 * @param cancellation ends the call early, on both sides; the future then fails with CANCELLED
 * @param timeout after which the call fails with DEADLINE_EXCEEDED
 * @param waitForReady whether a task that cannot be reached is waited for, rather than being
 *     UNAVAILABLE at once
 */
public record CallOptions(
    Cancellation cancellation, Optional<Duration> timeout, boolean waitForReady) {

  /** Fails at once if the task cannot be reached, has no time limit and is never cancelled. */
  public static CallOptions defaults() {
    return new CallOptions(new Cancellation(), Optional.empty(), false);
  }

  public static CallOptions cancelledBy(Cancellation cancellation) {
    return new CallOptions(cancellation, Optional.empty(), false);
  }

  public CallOptions within(Duration limit) {
    return new CallOptions(cancellation, Optional.of(limit), waitForReady);
  }

  public CallOptions waitingForReady() {
    return new CallOptions(cancellation, timeout, true);
  }
}
