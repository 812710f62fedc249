package dev.tributary.train.replica;

import dev.tributary.error.TimeText;
import dev.tributary.graph.Operation;
import dev.tributary.session.Session;
import dev.tributary.train.hook.Readiness;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.LooperThread;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook for workers that train synchronously in monitored sessions. In each session it initializes
 * the worker's local step, and the chief's hook applies the gradients that all have accumulated. If
 * dead workers are detected, it sends heartbeats. At a good end the worker leaves, and the chief
 * waits a while for the others to leave.
 */
public final class SyncReplicasHook implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(SyncReplicasHook.class);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
  private static final Duration CHIEF_LIMIT = Duration.ofMinutes(10);
  private static final Duration STEP_LIMIT = Duration.ofMinutes(10);

  private final SyncOperations operations;
  private final boolean isChief;
  private final Duration endWait;
  private final Duration stepLimit;
  private Optional<SyncRunner> runner = Optional.empty();
  private Optional<SyncWatch> watch = Optional.empty();
  private Coordinator coordinator = new Coordinator();

  private SyncReplicasHook(
      SyncOperations operations, boolean isChief, Duration endWait, Duration stepLimit) {
    this.operations = operations;
    this.isChief = isChief;
    this.endWait = endWait;
    this.stepLimit = stepLimit;
  }

  /**
   * Returns the chief's hook.
   *
   * @param endWait the time to wait at the end for workers that have not left
   */
  public static SyncReplicasHook chief(SyncOperations operations, Duration endWait) {
    return new SyncReplicasHook(operations, true, endWait, STEP_LIMIT);
  }

  /** Returns the hook of another worker. */
  public static SyncReplicasHook worker(SyncOperations operations) {
    return new SyncReplicasHook(operations, false, Duration.ZERO, STEP_LIMIT);
  }

  /**
   * Returns a hook that fails training with DEADLINE_EXCEEDED when the model has made no step for
   * this time; ten minutes by default. The error names the workers whose gradients are missing.
   */
  public SyncReplicasHook withStepLimit(Duration limit) {
    return new SyncReplicasHook(operations, isChief, endWait, limit);
  }

  @Override
  public void afterCreateSession(Session session, Coordinator newCoordinator) {
    coordinator = newCoordinator;
    Readiness.require(session, operations.readyForLocalInit());
    if (isChief) {
      session.run(operations.chiefInit());
      runner = Optional.of(SyncRunner.start(operations, session, coordinator));
    } else {
      Readiness.await(session, operations.readyForWorkers(), coordinator, CHIEF_LIMIT);
      session.run(operations.localInit());
      operations.chief().liveness().ifPresent(liveness -> startHeartbeat(liveness, session));
    }
    watch = Optional.of(SyncWatch.start(operations, session, coordinator, stepLimit));
  }

  private void startHeartbeat(Liveness liveness, Session session) {
    Operation beat = operations.chief().membership().beat();
    LooperThread.loop("replica-heartbeat", coordinator, liveness.beat(), () -> session.run(beat));
  }

  @Override
  public void end(Session session) {
    watch.ifPresent(SyncWatch::end);
    session.run(operations.leave());
    runner.ifPresent(this::awaitOthers);
  }

  /** Waits for other workers, which need the chief for their last steps. */
  private void awaitOthers(SyncRunner sync) {
    long deadline = System.nanoTime() + endWait.toNanos();
    while (!sync.allLeft() && !coordinator.waitForStop(POLL_INTERVAL)) {
      if (System.nanoTime() - deadline > 0) {
        LOG.warn("the chief ends, but not all workers have left within {}", TimeText.of(endWait));
        return;
      }
    }
  }
}
