package dev.tributary.train.replica;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.time.Deadline;
import dev.tributary.internal.time.Ticker;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.queue.Coordinator;
import java.time.Duration;

/** Checks of hooks that the variables they need are initialized. */
final class Readiness {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private Readiness() {}

  /**
   * Fails with ABORTED unless all variables are initialized. In a session that was ready, they were
   * lost with their task, and training continues in a new session.
   *
   * @param missing the names of uninitialized variables
   */
  public static void require(Session session, Output missing) {
    String[] names = names(session, missing);
    if (names.length > 0) {
      throw new TributaryException(
          ErrorCode.ABORTED,
          "these variables have no values: "
              + String.join(", ", names)
              + ". Their task was restarted, or the model was not initialised");
    }
  }

  /**
   * Waits until all variables are initialized or a stop is requested; fails with DEADLINE_EXCEEDED
   * if that takes too long.
   */
  public static void await(
      Session session, Output missing, Coordinator coordinator, Duration limit) {
    Deadline deadline = Deadline.in(limit, Ticker.SYSTEM);
    String[] names = names(session, missing);
    while (names.length > 0 && !coordinator.waitForStop(POLL_INTERVAL)) {
      if (deadline.isOver()) {
        throw new TributaryException(
            ErrorCode.DEADLINE_EXCEEDED,
            "the chief has not initialised these variables after "
                + TimeText.of(limit)
                + ": "
                + String.join(", ", names)
                + ". Check that the chief runs and was given its hook");
      }
      names = names(session, missing);
    }
  }

  private static String[] names(Session session, Output missing) {
    try (StepResult result = session.runner().fetch(missing).run()) {
      return result.get(0).toStrings();
    }
  }
}
