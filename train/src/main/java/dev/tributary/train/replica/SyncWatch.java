package dev.tributary.train.replica;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.LooperThread;
import java.time.Duration;

/**
 * Ends a wait of synchronous training that nothing else would end. A worker that has brought its
 * gradients waits for a token on one task only, and does not notice when another task dies with the
 * gradients, or when nobody makes steps any more. The watch does, in a thread beside the session;
 * its failure stops the coordinator, which closes the session. Confined to that thread, but for
 * {@link #end}.
 */
final class SyncWatch {
  /** A step on every task that holds variables, so not too often. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Longer between two looks than this, and it was this process that stood still. */
  private static final Duration OWN_PAUSE = Duration.ofSeconds(30);

  private final SyncOperations operations;
  private final Session session;
  private final Duration stepLimit;
  private long step = -1;
  private long stepNanos;
  private long lookNanos = System.nanoTime();
  private volatile boolean ended;

  private SyncWatch(SyncOperations operations, Session session, Duration stepLimit) {
    this.operations = operations;
    this.session = session;
    this.stepLimit = stepLimit;
  }

  /**
   * Starts the thread, for the coordinator to join.
   *
   * @param stepLimit how long the model may make no step
   */
  static SyncWatch start(
      SyncOperations operations, Session session, Coordinator coordinator, Duration stepLimit) {
    SyncWatch watch = new SyncWatch(operations, session, stepLimit);
    LooperThread.loop("sync-watch", coordinator, LOOK, watch::look);
    return watch;
  }

  /** The worker waits for no more steps. */
  void end() {
    ended = true;
  }

  private void look() {
    if (ended) {
      return;
    }
    requireAllVariables();
    long now = System.nanoTime();
    long seen = globalStep();
    if (seen != step || now - lookNanos > OWN_PAUSE.toNanos()) {
      step = seen;
      stepNanos = now;
    }
    lookNanos = now;
    if (now - stepNanos > stepLimit.toNanos() && !ended) {
      throw new TributaryException(
          ErrorCode.DEADLINE_EXCEEDED,
          String.format(
              "synchronous training has made no step for %d s at global step %d: %s. Check these"
                  + " tasks, or allow more time with SyncReplicasHook.withStepLimit",
              stepLimit.toSeconds(), step, operations.chief().roster().missing(session)));
    }
  }

  /** A task that was restarted has lost its variables, and the gradients brought to it. */
  private void requireAllVariables() {
    try (StepResult result = session.runner().fetch(operations.readyForLocalInit()).run()) {
      String[] names = result.get(0).toStrings();
      if (names.length > 0) {
        throw new TributaryException(
            ErrorCode.ABORTED,
            "variables have lost their values, so their task was restarted: "
                + String.join(", ", names));
      }
    }
  }

  private long globalStep() {
    try (StepResult result = session.runner().fetch(operations.globalStep()).run()) {
      return result.get(0).getIndex(0);
    }
  }
}
