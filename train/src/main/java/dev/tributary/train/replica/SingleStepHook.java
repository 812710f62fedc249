package dev.tributary.train.replica;

import dev.tributary.session.Session;
import dev.tributary.train.hook.Readiness;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.queue.Coordinator;
import java.time.Duration;

/**
 * Lets a worker take part in training in which each gradient makes a step: in each session the
 * chief begins to measure, and where workers wait for each other this one comes in, says that it is
 * alive, and leaves at a good end.
 */
final class SingleStepHook implements SessionRunHook {
  private static final Duration BEGIN_WAIT = Duration.ofMinutes(10);

  private final SingleStepReplication replication;
  private final boolean isChief;

  SingleStepHook(SingleStepReplication replication, boolean isChief) {
    this.replication = replication;
    this.isChief = isChief;
  }

  @Override
  public void afterCreateSession(Session session, Coordinator coordinator) {
    if (isChief) {
      session.run(replication.chiefInit());
    } else {
      Readiness.await(session, replication.chiefMissing(), coordinator, BEGIN_WAIT);
    }
    replication.membership().ifPresent(m -> join(m, session, coordinator));
  }

  /** Leaves first: a step that waits since before this process was started ends by that. */
  private void join(SspMembership membership, Session session, Coordinator coordinator) {
    session.run(membership.leave());
    session.run(membership.join());
    Heartbeat.start(membership, replication.liveness(), session, coordinator);
  }

  @Override
  public void end(Session session) {
    replication.membership().ifPresent(m -> session.run(m.leave()));
  }
}
