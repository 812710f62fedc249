package dev.tributary.cluster.master;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The kinds of steps that a session has ready, each prepared once, however many ask for it at the
 * same time. There is a bound: the one that was used longest ago goes first, as soon as nobody uses
 * it. One that cannot be prepared is not remembered. Guarded by its own monitor.
 */
final class PreparedSteps {
  private final Map<StepKey, PreparedStep> steps = new LinkedHashMap<>(16, 0.75f, true);
  private final int most;
  private final Executor executor;
  private final StepPlanner planner;
  private final GraphRegistration registration;

  PreparedSteps(int most, Executor executor, StepPlanner planner, GraphRegistration registration) {
    this.most = most;
    this.executor = executor;
    this.planner = planner;
    this.registration = registration;
  }

  /** A kind of step, which stays ready until it is released. */
  PreparedStep acquire(StepKey key) {
    List<PreparedStep> unused = List.of();
    PreparedStep created = null;
    PreparedStep step;
    synchronized (this) {
      step = steps.get(key);
      if (step == null) {
        created = new PreparedStep(key);
        step = created;
        steps.put(key, step);
        unused = dropOldest();
      }
      step.users++;
    }
    unused.forEach(this::deregister);
    if (created != null) {
      prepare(created);
    }
    return step;
  }

  /** For one more user of a kind of step that has one already. */
  synchronized PreparedStep acquireAgain(PreparedStep step) {
    step.users++;
    return step;
  }

  void release(PreparedStep step) {
    synchronized (this) {
      step.users--;
      if (!step.dropped || step.users > 0) {
        return;
      }
    }
    deregister(step);
  }

  private List<PreparedStep> dropOldest() {
    List<PreparedStep> unused = new ArrayList<>();
    Iterator<PreparedStep> oldest = steps.values().iterator();
    while (steps.size() > most) {
      PreparedStep step = oldest.next();
      oldest.remove();
      step.dropped = true;
      if (step.users == 0) {
        unused.add(step);
      }
    }
    return unused;
  }

  private void prepare(PreparedStep step) {
    step.registered.whenComplete(
        (done, thrown) -> {
          if (thrown != null) {
            forget(step);
          }
        });
    try {
      executor.execute(() -> plan(step));
    } catch (RejectedExecutionException e) {
      step.registered.completeExceptionally(Failures.of(e));
    }
  }

  private void plan(PreparedStep step) {
    try {
      registration
          .register(planner.plan(step.key))
          .whenComplete(
              (registered, thrown) -> {
                if (thrown == null) {
                  step.registered.complete(registered);
                } else {
                  step.registered.completeExceptionally(Failures.of(thrown));
                }
              });
    } catch (RuntimeException | Error e) {
      step.registered.completeExceptionally(Failures.of(e));
    }
  }

  private synchronized void forget(PreparedStep step) {
    steps.remove(step.key, step);
  }

  private void deregister(PreparedStep step) {
    step.registered.thenAccept(registration::deregister);
  }
}
