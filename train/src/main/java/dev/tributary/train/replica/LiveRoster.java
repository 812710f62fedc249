package dev.tributary.train.replica;

import dev.tributary.error.TimeText;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which workers are there: those that have not left, and have said lately that they are
 * alive. Guarded by its own monitor; only {@link #isStuck} uses the watch.
 */
final class LiveRoster implements Roster {
  /*
   * Who is waited for. A step gives tokens to all that are there, and the next one waits for those
   * of them that are there still. A worker that comes back may add its gradient to any step, but
   * none waits for it before it was given a token: so no step waits for somebody who waits himself.
   *
   * Dead workers. When all that are waited for have brought the gradients of the step that is
   * running, and yet an accumulator has too few, those missing will never come. The step is
   * cancelled, and begun anew with fewer; while it waits it has taken nothing (see SyncGraph), so
   * nothing is lost. Gradients are lost if a worker that was thought to be dead comes back in that
   * very moment, or with a chief that dies while it makes a step. Then all are asked for gradients
   * of the same step again; what is still in an accumulator counts.
   */
  private static final Logger LOG = LoggerFactory.getLogger(LiveRoster.class);

  private final AttendanceOperations operations;
  private final Replicas replicas;
  private final Session session;
  private final BeatWatch watch;
  private Set<Integer> present;
  private Set<Integer> served;
  private Plan plan;

  /**
   * @param awaited the workers the step waits for
   * @param served those to which it gives tokens
   */
  private record Plan(int required, Set<Integer> awaited, Set<Integer> served) {}

  LiveRoster(AttendanceOperations operations, Session session) {
    this.operations = operations;
    this.replicas = operations.replicas();
    this.session = session;
    this.watch = new BeatWatch(operations.liveness().limit());
    this.present = IntStream.range(0, replicas.total()).boxed().collect(Collectors.toSet());
    this.served = present;
    this.plan = plan();
  }

  @Override
  public StepPlan next() {
    Plan next = replan();
    return new StepPlan(Tensor.scalar(next.required), tokens(next.served));
  }

  @Override
  public synchronized void made() {
    served = plan.served;
  }

  @Override
  public boolean isStuck() {
    long[] clocks;
    long step;
    try (StepResult seen =
        session
            .runner()
            .fetch(operations.beats())
            .fetch(operations.clocks())
            .fetch(operations.step())
            .run()) {
      clocks = seen.get(1).toLongs();
      step = seen.get(2).longValue();
      see(seen.get(0).toLongs(), clocks);
    }
    Plan running = current();
    Set<Integer> awaited = both(running.awaited, presentNow());
    boolean allBrought = awaited.stream().allMatch(worker -> clocks[worker] >= step);
    return allBrought && !awaited.isEmpty() && hasTooFew(running.required, step);
  }

  private void see(long[] beats, long[] clocks) {
    Set<Integer> silent = new TreeSet<>(watch.silent(beats, System.nanoTime()));
    silent.remove(operations.own());
    Set<Integer> before = presentNow();
    Set<Integer> now = new TreeSet<>();
    for (int worker = 0; worker < clocks.length; worker++) {
      boolean left = clocks[worker] == Attendance.LEFT;
      if (!left && !silent.contains(worker)) {
        now.add(worker);
        if (!before.contains(worker)) {
          LOG.info("worker {} takes part again", worker);
        }
      } else if (!left && before.contains(worker)) {
        LOG.warn(
            "worker {} has not been heard from for {}; the others do not wait for it any more",
            worker,
            TimeText.of(operations.liveness().limit()));
      }
    }
    setPresent(now);
  }

  /** Whether the gradients of an accumulator, at this step, are not as many as wanted. */
  private boolean hasTooFew(int required, long step) {
    try (StepResult seen =
        session.runner().fetch(operations.counts()).fetch(operations.stepAfterCounts()).run()) {
      boolean tooFew = false;
      for (int i = 0; i < seen.size() - 1; i++) {
        int count = seen.get(i).intValue();
        tooFew |= count > 0 && count < required;
      }
      return tooFew && seen.get(seen.size() - 1).longValue() == step;
    }
  }

  @Override
  public void recover() {
    Plan next = replan();
    if (!isLost(next.required)) {
      return;
    }
    LOG.info("gradients of a step were lost; workers {} bring them again", next.served);
    try (Tensor tokens = tokens(next.served)) {
      session.runner().feed(operations.tokens(), tokens).target(operations.repeat()).run().close();
    }
    made();
  }

  private boolean isLost(int required) {
    try (StepResult counts = session.runner().fetch(operations.counts()).run()) {
      for (Tensor count : counts) {
        if (count.intValue() < required) {
          return true;
        }
      }
      return false;
    }
  }

  @Override
  public synchronized boolean allLeft() {
    return present.isEmpty();
  }

  /** A token for each of these. */
  private Tensor tokens(Set<Integer> workers) {
    int[] counts = new int[replicas.total()];
    workers.forEach(worker -> counts[worker] = 1);
    return Tensor.of(Shape.of(counts.length), counts);
  }

  private synchronized Plan replan() {
    plan = plan();
    return plan;
  }

  private Plan plan() {
    Set<Integer> awaited = both(served, present);
    return new Plan(replicas.required(replicas.total() - awaited.size()), awaited, present);
  }

  private synchronized Plan current() {
    return plan;
  }

  private synchronized Set<Integer> presentNow() {
    return present;
  }

  private synchronized void setPresent(Set<Integer> now) {
    present = now;
  }

  private static Set<Integer> both(Set<Integer> one, Set<Integer> other) {
    Set<Integer> both = new TreeSet<>(one);
    both.retainAll(other);
    return both;
  }
}
