package dev.tributary.session;

import dev.tributary.internal.concurrent.Pending;

/** A step whose session ends it through a {@link Pending} result. */
record StartedStep(Pending<StepResult> pending) implements RunningStep {
  @Override
  public boolean isDone() {
    return pending.isDone();
  }

  @Override
  public StepResult await() {
    return pending.await();
  }

  @Override
  public void cancel() {
    pending.cancel();
  }

  @Override
  public void close() {
    pending.close();
  }
}
