package dev.tributary.train.hook;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.time.Deadline;
import dev.tributary.internal.time.Ticker;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.variable.GlobalStep;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook that delays a worker until all workers together have made a number of steps, so that
 * workers join one after the other. Fails with DEADLINE_EXCEEDED if that takes too long.
 */
public final class GlobalStepWaiterHook implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalStepWaiterHook.class);

  private final Variable globalStep;
  private final long waitUntilStep;
  private final Duration pause;
  private final Duration maxWait;
  private Coordinator coordinator = new Coordinator();
  private boolean begun;

  /** Creates a hook that checks twice a second, for two hours at most. */
  public GlobalStepWaiterHook(Variable globalStep, long waitUntilStep) {
    this(globalStep, waitUntilStep, Duration.ofMillis(500), Duration.ofHours(2));
  }

  /**
   * @param pause the time between checks
   * @param maxWait the longest time to wait
   */
  public GlobalStepWaiterHook(
      Variable globalStep, long waitUntilStep, Duration pause, Duration maxWait) {
    this.globalStep = globalStep;
    this.waitUntilStep = waitUntilStep;
    this.pause = pause;
    this.maxWait = maxWait;
  }

  @Override
  public void afterCreateSession(Session session, Coordinator newCoordinator) {
    coordinator = newCoordinator;
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    if (!begun) {
      await(context.session());
      begun = true;
    }
    return SessionRunArgs.none();
  }

  /** Waits for the step, or for a requested stop. */
  private void await(Session session) {
    Deadline deadline = Deadline.in(maxWait, Ticker.SYSTEM);
    long step = GlobalStep.read(session, globalStep);
    if (step < waitUntilStep) {
      LOG.info("waiting for global step {}, it is {}", waitUntilStep, step);
    }
    while (step < waitUntilStep && !coordinator.waitForStop(pause)) {
      if (deadline.isOver()) {
        throw new TributaryException(
            ErrorCode.DEADLINE_EXCEEDED,
            String.format(
                "global step %d was not reached after waiting %s, it is %d",
                waitUntilStep, TimeText.of(maxWait), step));
      }
      step = GlobalStep.read(session, globalStep);
    }
  }
}
