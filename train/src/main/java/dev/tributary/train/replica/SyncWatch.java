package dev.tributary.train.replica;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.LooperThread;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A thread that ends waits of synchronous training which nothing else would end. A worker that has
 * added its gradients waits for a token on one task only, and does not notice when another task
 * dies with the gradients, or when no chief makes steps any more. The watch does; its failure stops
 * the coordinator, which closes the session. Confined to its thread, except for {@link #end}.
 */
final class SyncWatch {
  /** Each check is a step on every task that holds variables, so not too often. */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** If more time passes between two checks, this process itself was suspended. */
  private static final Duration OWN_PAUSE = Duration.ofSeconds(30);

  private final SyncOperations operations;
  private final Session session;
  private final Duration stepLimit;
  private long step = -1;
  private long stepNanos;
  private long checkNanos = System.nanoTime();
  private volatile boolean ended;

  private SyncWatch(SyncOperations operations, Session session, Duration stepLimit) {
    this.operations = operations;
    this.session = session;
    this.stepLimit = stepLimit;
  }

  /**
   * Starts the thread, for the coordinator to join.
   *
   * @param stepLimit the longest time that a step of the model may take
   */
  static SyncWatch start(
      SyncOperations operations, Session session, Coordinator coordinator, Duration stepLimit) {
    SyncWatch watch = new SyncWatch(operations, session, stepLimit);
    LooperThread.loop("sync-watch", coordinator, INTERVAL, watch::check);
    return watch;
  }

  /** Stops checking, since the worker waits for no more steps. */
  void end() {
    ended = true;
  }

  private void check() {
    if (ended) {
      return;
    }
    requireAllVariables();
    long now = System.nanoTime();
    long seen = globalStep();
    if (seen != step || now - checkNanos > OWN_PAUSE.toNanos()) {
      step = seen;
      stepNanos = now;
    }
    checkNanos = now;
    if (now - stepNanos > stepLimit.toNanos() && !ended) {
      throw new TributaryException(
          ErrorCode.DEADLINE_EXCEEDED,
          String.format(
              "synchronous training has made no step for %d s at global step %d: %s. Check these"
                  + " tasks, or allow more time with SyncReplicasHook.withStepLimit",
              stepLimit.toSeconds(), step, missing(operations.chief(), session)));
    }
  }

  /** A task that was restarted has lost its variables, and the gradients added to it. */
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

  /** Describes the gradients that the next step of the model waits for. */
  static String missing(ChiefOperations chief, Session session) {
    try (StepResult seen =
        session.runner().fetch(chief.membership().clocks()).fetch(chief.stepAfterClocks()).run()) {
      long[] clocks = seen.get(0).toLongs();
      long now = seen.get(1).getIndex(0);
      List<Integer> workers =
          IntStream.range(0, clocks.length).filter(i -> clocks[i] < now).boxed().toList();
      return workers.isEmpty()
          ? "all workers have added gradients, but the chief has not applied them"
          : "no gradients from workers " + workers;
    }
  }
}
