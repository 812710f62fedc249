package dev.tributary.train.replica;

import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.queue.Coordinator;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A hook for workers whose gradients make steps of their own. In each session the chief initializes
 * what workers share. If workers wait for each other, the worker joins, sends heartbeats, removes
 * others whose heartbeats have stopped, and leaves at a good end.
 */
final class AsyncReplicasHook implements SessionRunHook {
  private static final Duration CHIEF_LIMIT = Duration.ofMinutes(10);

  private final AsyncGraph graph;
  private final Liveness liveness;
  private final boolean isChief;

  AsyncReplicasHook(AsyncGraph graph, Liveness liveness, boolean isChief) {
    this.graph = graph;
    this.liveness = liveness;
    this.isChief = isChief;
  }

  @Override
  public boolean actsAroundSteps() {
    return false;
  }

  @Override
  public void afterCreateSession(Session session, Coordinator coordinator) {
    if (isChief) {
      session.run(graph.chiefInit());
    } else {
      Readiness.await(session, graph.readyForWorkers(), coordinator, CHIEF_LIMIT);
    }
    graph.bound().ifPresent(bound -> join(bound, session, coordinator));
  }

  /** Leaves first, which ends a step of an earlier process of this worker that still waits. */
  private void join(BoundedStaleness bound, Session session, Coordinator coordinator) {
    session.run(bound.leave());
    session.run(bound.join());
    MembershipView view = new MembershipView(bound.membership().own(), Optional.of(liveness));
    coordinator.loop("replica-heartbeat", liveness.beat(), () -> beat(bound, view, session));
  }

  private static void beat(BoundedStaleness bound, MembershipView view, Session session) {
    Membership membership = bound.membership();
    try (StepResult result =
        session
            .runner()
            .fetch(membership.beats())
            .fetch(membership.clocks())
            .target(membership.beat())
            .run()) {
      long[] clocks = result.get(1).toLongs();
      Set<Integer> present = view.update(result.get(0).toLongs(), clocks);
      for (int worker = 0; worker < clocks.length; worker++) {
        if (clocks[worker] < Membership.ABSENT && !present.contains(worker)) {
          remove(worker, bound, session);
        }
      }
    }
  }

  private static void remove(int worker, BoundedStaleness bound, Session session) {
    try (Tensor index = Tensor.scalar(worker)) {
      session.runner().feed(bound.leaving(), index).target(bound.leave()).run().close();
    }
  }

  @Override
  public void end(Session session) {
    graph.bound().ifPresent(bound -> session.run(bound.leave()));
  }
}
