package dev.tributary.train.replica;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Ticker;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.train.queue.Coordinator;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that ends waits of synchronous training which nothing else would end. A worker that has
 * added its gradients waits for a token on one task only, and does not notice when another task
 * dies with the gradients, when no chief makes steps any more, or when a stop is requested. The
 * watch does. Its failure stops the coordinator, which closes the session; after the end of
 * training and after a request to stop it ends waiting steps by tokens. Its state is confined to
 * its thread.
 */
final class SyncWatch {
  private static final Logger LOG = LoggerFactory.getLogger(SyncWatch.class);

  /** Each check is a step on every task that holds variables, so not too often. */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** If more time passes between two checks, this process itself was suspended. */
  private static final Duration OWN_PAUSE = Duration.ofSeconds(30);

  private final SyncOperations operations;
  private final Session session;
  private final Coordinator coordinator;
  private final SyncLimits limits;
  private final Ticker clock;
  private final CountDownLatch ended = new CountDownLatch(1);
  private long step = -1;
  private long stepNanos;
  private long checkNanos;
  private long chiefNanos;
  private boolean sawChief;

  /** Creates a watch without a thread. */
  SyncWatch(
      SyncOperations operations,
      Session session,
      Coordinator coordinator,
      SyncLimits limits,
      Ticker clock) {
    this.operations = operations;
    this.session = session;
    this.coordinator = coordinator;
    this.limits = limits;
    this.clock = clock;
    this.stepNanos = clock.nanos();
    this.checkNanos = stepNanos;
    this.chiefNanos = stepNanos;
  }

  /** Starts the thread, which ends with the session or before. */
  static SyncWatch start(
      SyncOperations operations, Session session, Coordinator coordinator, SyncLimits limits) {
    SyncWatch watch = new SyncWatch(operations, session, coordinator, limits, Ticker.SYSTEM);
    // The coordinator does not join it: the thread is needed until the program's last step ends.
    Thread thread = new Thread(watch::run, "sync-watch");
    thread.setDaemon(true);
    thread.start();
    coordinator.onStop(watch::releaseAtStop);
    return watch;
  }

  /** Stops checking, since the worker waits for no more steps. */
  void end() {
    ended.countDown();
  }

  private void run() {
    try {
      while (!ended.await(INTERVAL.toNanos(), TimeUnit.NANOSECONDS)) {
        if (!coordinator.shouldStop()) {
          check();
        } else if (!isNeededAfterStop()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      if (ended.getCount() > 0 && !coordinator.shouldStop()) {
        coordinator.requestStop(e);
      }
    }
  }

  /**
   * Ends steps that the program runs after a stop was requested, one for each step limit. Not more
   * often, since the next process of this worker would find the tokens.
   */
  private boolean isNeededAfterStop() {
    long now = clock.nanos();
    boolean isDue = now - stepNanos > limits.step().toNanos();
    if (isDue) {
      stepNanos = now;
    }
    // After a failure, the session is closed, which ends its steps.
    return coordinator.failure().isEmpty() && (!isDue || isReleased());
  }

  /** Ends a training step that waits for a token; false if the session is closed. */
  private boolean isReleased() {
    try {
      session.run(operations.release());
      return true;
    } catch (TributaryException e) {
      LOG.debug("a step that waits was not released; it ends with its session", e);
      return false;
    }
  }

  private void releaseAtStop() {
    if (ended.getCount() > 0) {
      isReleased();
    }
  }

  /** Looks at the cluster once; throws if training cannot continue. */
  void check() {
    requireAllVariables();
    long now = clock.nanos();
    long seen;
    long[] clocks;
    try (StepResult result =
        session
            .runner()
            .fetch(operations.globalStep())
            .fetch(operations.chief().membership().clocks())
            .run()) {
      seen = result.get(0).getIndex(0);
      clocks = result.get(1).toLongs();
    }
    if (seen != step || now - checkNanos > OWN_PAUSE.toNanos()) {
      step = seen;
      stepNanos = now;
    }
    checkNanos = now;
    if (isTrainingOver(clocks, now)) {
      LOG.info("the chief has ended training at global step {}; this worker ends, too", step);
      coordinator.requestStop();
    } else if (now - stepNanos > limits.step().toNanos()) {
      throw new TributaryException(
          ErrorCode.DEADLINE_EXCEEDED,
          String.format(
              "synchronous training has made no step for %d s at global step %d: %s. Check these"
                  + " tasks, or allow more time with withStepLimit",
              limits.step().toSeconds(), step, missing(operations.chief(), session)));
    }
  }

  /** Returns whether a chief has ended training while this worker took part, or long before. */
  private boolean isTrainingOver(long[] clocks, long now) {
    if (Arrays.stream(clocks).noneMatch(clock -> clock == Membership.ENDED)) {
      sawChief = true;
      chiefNanos = now;
      return false;
    }
    return sawChief || now - chiefNanos > limits.absentChief().toNanos();
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
