package dev.tributary.train.replica;

import dev.tributary.error.TimeText;
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
 * Lets a worker of a monitored session train in step with the others. In each session it sets the
 * worker's local step, and the chief's applies what all have accumulated; where dead workers
 * matter, it says that its worker is alive; at a good end the worker leaves, and the chief waits a
 * while until all have.
 */
public final class SyncReplicasHook implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(SyncReplicasHook.class);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration BEGIN_WAIT = Duration.ofMinutes(10);
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
   * The chief's.
   *
   * @param endWait how long to wait at the end for workers that have not left
   */
  public static SyncReplicasHook chief(SyncOperations operations, Duration endWait) {
    return new SyncReplicasHook(operations, true, endWait, STEP_LIMIT);
  }

  public static SyncReplicasHook worker(SyncOperations operations) {
    return new SyncReplicasHook(operations, false, Duration.ZERO, STEP_LIMIT);
  }

  /**
   * A new hook that ends training with DEADLINE_EXCEEDED when the model has made no step for so
   * long; ten minutes by default. The error names the workers whose gradients are missing.
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
      Readiness.await(session, operations.chiefMissing(), coordinator, BEGIN_WAIT);
      session.run(operations.localInit());
      operations.beat().ifPresent(beat -> start(beat, session));
    }
    watch = Optional.of(SyncWatch.start(operations, session, coordinator, stepLimit));
  }

  private void start(Beat beat, Session session) {
    LooperThread.loop(
        "sync-heartbeat", coordinator, beat.interval(), () -> session.run(beat.operation()));
  }

  @Override
  public void end(Session session) {
    watch.ifPresent(SyncWatch::end);
    session.run(operations.leave());
    runner.ifPresent(this::awaitOthers);
  }

  /** Others that have not finished need the chief for their last steps. */
  private void awaitOthers(SyncRunner sync) {
    long deadline = System.nanoTime() + endWait.toNanos();
    while (!sync.allLeft() && !coordinator.waitForStop(LOOK)) {
      if (System.nanoTime() - deadline > 0) {
        LOG.warn("the chief ends, but not all workers have left within {}", TimeText.of(endWait));
        return;
      }
    }
  }
}
