package dev.tributary.train.replica;

import dev.tributary.error.TimeText;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.LooperThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that a worker is alive, and lets those leave that have been silent for too long, so that
 * nobody waits for a dead one. All workers do so, for each other. Confined to its thread.
 */
final class Heartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  private final SspMembership membership;
  private final Session session;
  private final BeatWatch watch;
  private final Liveness liveness;

  private Heartbeat(SspMembership membership, Liveness liveness, Session session) {
    this.membership = membership;
    this.session = session;
    this.liveness = liveness;
    this.watch = new BeatWatch(liveness.limit());
  }

  /** Starts the thread, for the coordinator to join. */
  static void start(
      SspMembership membership, Liveness liveness, Session session, Coordinator coordinator) {
    Heartbeat heartbeat = new Heartbeat(membership, liveness, session);
    LooperThread.loop("ssp-heartbeat", coordinator, liveness.beat(), heartbeat::beat);
  }

  private void beat() {
    try (StepResult result =
        session
            .runner()
            .fetch(membership.beats())
            .fetch(membership.present())
            .target(membership.beat())
            .run()) {
      Tensor present = result.get(1);
      for (int worker : watch.silent(result.get(0).toLongs(), System.nanoTime())) {
        if (worker != membership.own() && present.getBoolean(worker)) {
          remove(worker);
        }
      }
    }
  }

  private void remove(int worker) {
    LOG.warn(
        "worker {} has not been heard from for {}; the others do not wait for it any more",
        worker,
        TimeText.of(liveness.limit()));
    try (Tensor index = Tensor.scalar(worker)) {
      session.runner().feed(membership.leaving(), index).target(membership.leave()).run().close();
    }
  }
}
