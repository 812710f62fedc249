package dev.tributary.train.replica;

import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;

/**
 * Knows how many workers have left; the rest are taken to be there, alive or not. Guarded by its
 * own monitor.
 */
final class CountedRoster implements Roster {
  private final DepartureOperations operations;
  private final Replicas replicas;
  private final Session session;
  private int departed;
  private int required;

  CountedRoster(DepartureOperations operations, Session session) {
    this.operations = operations;
    this.replicas = operations.replicas();
    this.session = session;
    this.required = replicas.required(0);
  }

  @Override
  public synchronized StepPlan next() {
    required = replicas.required(departed);
    return new StepPlan(Tensor.scalar(required), Tensor.scalar(replicas.tokens(departed)));
  }

  @Override
  public void made() {}

  @Override
  public boolean isStuck() {
    int planned = planned();
    int left;
    try (StepResult result = session.runner().fetch(operations.departed()).run()) {
      left = result.get(0).intValue();
    }
    setDeparted(left);
    return replicas.required(left) < planned && isOnlyWaiting(planned);
  }

  /**
   * Whether a step has taken no gradients. It has surely not if all accumulators have as many, some
   * but too few. A step that has taken some must not be cancelled: they would be lost, and their
   * workers would wait for ever.
   */
  private boolean isOnlyWaiting(int planned) {
    try (StepResult counts = session.runner().fetch(operations.counts()).run()) {
      int count = counts.get(0).intValue();
      for (int i = 1; i < counts.size(); i++) {
        if (counts.get(i).intValue() != count) {
          return false;
        }
      }
      return count > 0 && count < planned;
    }
  }

  /** Nothing was lost, and the next step waits for fewer. */
  @Override
  public void recover() {}

  @Override
  public synchronized boolean allLeft() {
    return departed >= replicas.total();
  }

  private synchronized int planned() {
    return required;
  }

  private synchronized void setDeparted(int now) {
    departed = now;
  }
}
