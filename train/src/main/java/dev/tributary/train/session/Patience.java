package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wait with pauses and a limit. Its reason is logged whenever it changes. Confined to one thread.
 */
final class Patience {
  private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

  private final Duration pause;
  private final Duration limit;
  private final long deadline;
  private String logged = "";

  Patience(Duration pause, Duration limit) {
    this.pause = pause;
    this.limit = limit;
    this.deadline = System.nanoTime() + limit.toNanos();
  }

  /** Waits for a pause; fails with DEADLINE_EXCEEDED and the reason if the limit is reached. */
  void waitOnceMore(String reason) {
    if (deadline - System.nanoTime() < pause.toNanos()) {
      throw new TributaryException(
          ErrorCode.DEADLINE_EXCEEDED,
          "the session was not ready after waiting " + limit + ": " + reason);
    }
    if (!reason.equals(logged)) {
      LOG.info("waiting for the model to be ready: {}", reason);
      logged = reason;
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
