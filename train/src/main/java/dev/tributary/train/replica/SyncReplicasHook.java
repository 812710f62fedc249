package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.time.Deadline;
import dev.tributary.internal.time.Ticker;
import dev.tributary.session.Session;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.queue.Coordinator;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook for workers that train synchronously. In each session it initializes the worker's local
 * step, and the chief's hook applies the gradients that all have accumulated. If dead workers are
 * detected, it sends heartbeats. At a good end the worker leaves, and the chief waits a while for
 * the others to leave, and then ends training for all.
 */
final class SyncReplicasHook implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(SyncReplicasHook.class);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
  private static final Duration CHIEF_LIMIT = Duration.ofMinutes(10);

  private final SyncOperations operations;
  private final boolean isChief;
  private final SyncLimits limits;
  private Optional<SyncRunner> runner = Optional.empty();
  private Optional<SyncWatch> watch = Optional.empty();
  private Coordinator coordinator = new Coordinator();

  SyncReplicasHook(SyncOperations operations, boolean isChief, SyncLimits limits) {
    this.operations = operations;
    this.isChief = isChief;
    this.limits = limits;
  }

  @Override
  public boolean actsAroundSteps() {
    return false;
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
    watch = Optional.of(SyncWatch.start(operations, session, coordinator, limits));
  }

  private void startHeartbeat(Liveness liveness, Session session) {
    Operation beat = operations.chief().membership().beat();
    coordinator.loop("replica-heartbeat", liveness.beat(), () -> session.run(beat));
  }

  @Override
  public void end(Session session) {
    watch.ifPresent(SyncWatch::end);
    session.run(operations.leave());
    if (runner.isPresent()) {
      awaitOthers(runner.get());
      session.run(operations.chief().end());
    }
  }

  /** Waits for other workers, which need the chief for their last steps. */
  private void awaitOthers(SyncRunner sync) {
    Deadline deadline = Deadline.in(limits.end(), Ticker.SYSTEM);
    while (!sync.allLeft() && !coordinator.waitForStop(POLL_INTERVAL)) {
      if (deadline.isOver()) {
        LOG.warn(
            "the chief ends, but not all workers have left within {}", TimeText.of(limits.end()));
        return;
      }
    }
  }
}
