package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wait with pauses that ends some day. What it waits for is logged whenever that changes.
 * Confined to one thread.
 */
final class Patience {
  private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

  private final Duration pause;
  private final Duration limit;
  private final long deadline;
  private String told = "";

  Patience(Duration pause, Duration limit) {
    this.pause = pause;
    this.limit = limit;
    this.deadline = System.nanoTime() + limit.toNanos();
  }

  /** Waits for a pause; fails with DEADLINE_EXCEEDED and the reason if there is no time for it. */
  void waitOnceMore(String reason) {
    if (deadline - System.nanoTime() < pause.toNanos()) {
      throw new TributaryException(
          ErrorCode.DEADLINE_EXCEEDED,
          "the session was not ready after waiting " + limit + ": " + reason);
    }
    if (!reason.equals(told)) {
      LOG.info("waiting for the model to be ready: {}", reason);
      told = reason;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TributaryException(
          ErrorCode.CANCELLED, "interrupted while waiting for a session: " + reason, e);
    }
  }
}
