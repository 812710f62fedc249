package dev.tributary.train.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * The chief's choice of the gradients that each step of the model waits for and of the workers that
 * get its tokens, in one session. One thread plans steps and another one calls {@link #isStuck};
 * guarded by its own monitor.
 */
final class StepPlanner {
  /*
   * Awaited workers. A step enqueues tokens for all workers that take part, and the next step waits
   * for those of them that still do. A worker that comes back may add its gradient to any step, but
   * no step waits for it before it was given a token: so no step waits for a worker that waits for
   * that step.
   *
   * Missing workers. If all awaited workers have added the gradients of the running step and yet an
   * accumulator has too few, the missing ones will never come. The step is cancelled and begins
   * again with fewer; while it waits it has taken nothing (see SyncGraph), so nothing is lost.
   * Gradients are lost if a worker that was taken for dead comes back in that very moment, or with a
   * chief that dies while it makes a step. Then all workers are asked for gradients of the same step
   * again; those that are still in an accumulator count.
   *
   * Workers that compute several gradients for a step share a token queue, and their clocks do not
   * say how many they still owe. There, a step waits for the share of the workers that have not
   * left.
   */
  private static final Logger LOG = LoggerFactory.getLogger(StepPlanner.class);

  private final ChiefOperations operations;
  private final Replicas replicas;
  private final Session session;
  private final MembershipView view;

  @GuardedBy("this")
  private Set<Integer> present;

  @GuardedBy("this")
  private Set<Integer> served;

  @GuardedBy("this")
  private Plan plan;

  /**
   * A step of the model.
   *
   * @param required the number of gradients it waits for
   * @param awaited the workers it waits for
   * @param served the workers that get its tokens
   */
  record Plan(int required, Set<Integer> awaited, Set<Integer> served) {}

  StepPlanner(ChiefOperations operations, Session session) {
    this.operations = operations;
    this.replicas = operations.replicas();
    this.session = session;
    this.view = new MembershipView(operations.membership().own(), operations.liveness());
    this.present = IntStream.range(0, replicas.total()).boxed().collect(Collectors.toSet());
    this.served = present;
    this.plan = newPlan();
  }

  /** Plans the next step. */
  synchronized Plan next() {
    plan = newPlan();
    return plan;
  }

  /** Records that the planned step was made. */
  synchronized void made() {
    served = plan.served;
  }

  /** Returns the tokens of a step for each queue. Owned by the caller. */
  Tensor tokens(Plan step) {
    if (replicas.shareTokens()) {
      return Tensor.of(Shape.of(1), replicas.tokens(replicas.total() - step.served.size()));
    }
    int[] counts = new int[replicas.total()];
    step.served.forEach(worker -> counts[worker] = 1);
    return Tensor.of(Shape.of(counts.length), counts);
  }

  /**
   * Updates the workers that take part. Returns whether the planned step can never end, because it
   * waits for workers that are gone, and has to be cancelled.
   */
  boolean isStuck() {
    Membership membership = operations.membership();
    long[] clocks;
    long step;
    try (StepResult seen =
        session
            .runner()
            .fetch(membership.beats())
            .fetch(membership.clocks())
            .fetch(operations.stepAfterClocks())
            .run()) {
      clocks = seen.get(1).toLongs();
      step = seen.get(2).longValue();
      setPresent(view.update(seen.get(0).toLongs(), clocks));
    }
    Plan running = current();
    return waitsForAbsentWorkers(running, clocks, step) && hasTooFew(running.required, step);
  }

  private boolean waitsForAbsentWorkers(Plan running, long[] clocks, long step) {
    Set<Integer> now = currentlyPresent();
    if (replicas.shareTokens()) {
      return replicas.required(replicas.total() - now.size()) < running.required;
    }
    Set<Integer> awaited = intersection(running.awaited, now);
    return !awaited.isEmpty() && awaited.stream().allMatch(worker -> clocks[worker] >= step);
  }

  /** Returns whether an accumulator has some gradients of this step, but fewer than required. */
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

  /** Makes sure that the next step can be made after the planned one was cancelled. */
  void recover() {
    Plan next = next();
    if (replicas.shareTokens() || !isLost(next.required)) {
      return;
    }
    LOG.info("gradients of a step were lost; workers {} compute them again", next.served);
    try (Tensor tokens = tokens(next)) {
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

  /** Returns whether all workers are gone, after which no step will end any more. */
  synchronized boolean allLeft() {
    return present.isEmpty();
  }

  @GuardedBy("this")
  private Plan newPlan() {
    Set<Integer> awaited = replicas.shareTokens() ? present : intersection(served, present);
    return new Plan(replicas.required(replicas.total() - awaited.size()), awaited, present);
  }

  private synchronized Plan current() {
    return plan;
  }

  private synchronized Set<Integer> currentlyPresent() {
    return present;
  }

  private synchronized void setPresent(Set<Integer> now) {
    present = now;
  }

  private static Set<Integer> intersection(Set<Integer> one, Set<Integer> other) {
    Set<Integer> both = new TreeSet<>(one);
    both.retainAll(other);
    return both;
  }
}
