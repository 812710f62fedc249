package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.time.Deadline;
import dev.tributary.internal.time.Ticker;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wait with pauses and a limit. Its reason is logged whenever it changes. Confined to one thread.
 */
final class Patience {
  private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

  private final Duration pause;
  private final Duration limit;
  private final Ticker ticker;
  private final Deadline deadline;
  private String logged = "";

  Patience(Duration pause, Duration limit, Ticker ticker) {
    this.pause = pause;
    this.limit = limit;
    this.ticker = ticker;
    this.deadline = Deadline.in(limit, ticker);
  }

  /** Waits for a pause; fails with DEADLINE_EXCEEDED and the reason if the limit is reached. */
  void waitOnceMore(String reason) {
    if (deadline.left().compareTo(pause) < 0) {
      throw new TributaryException(
          ErrorCode.DEADLINE_EXCEEDED,
          "the session was not ready after waiting " + TimeText.of(limit) + ": " + reason);
    }
    if (!reason.equals(logged)) {
      LOG.info("waiting for the model to be ready: {}", reason);
      logged = reason;
    }
    try {
      ticker.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TributaryException(
          ErrorCode.CANCELLED, "interrupted while waiting for a session: " + reason, e);
    }
  }
}
