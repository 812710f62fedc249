package dev.tributary.train.sync;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.LooperThread;
import java.time.Duration;
import java.util.Optional;

/**
 * The chief's part in synchronous training: one step of the model after the other, in a thread of
 * its own, until the coordinator says stop. A second thread looks whether workers have left; if the
 * step that runs waits for more gradients than there can be, it is cancelled and begun anew with
 * fewer. TensorFlow calls it the chief's queue runner. Guarded by its own monitor.
 */
public final class SyncRunner {
  /** How often to look whether workers have left. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final ChiefOperations operations;
  private final Session session;
  private final Coordinator coordinator;
  private int departed;
  private Optional<ModelStep> current = Optional.empty();

  /** A step of the model, and how many gradients it waits for. */
  private record ModelStep(RunningStep running, int required) {}

  private SyncRunner(ChiefOperations operations, Session session, Coordinator coordinator) {
    this.operations = operations;
    this.session = session;
    this.coordinator = coordinator;
  }

  /**
   * Gives out the first tokens and starts the threads, for the coordinator to join. To be called
   * once, when the model and the chief's local step are initialised.
   */
  public static SyncRunner start(
      SyncOperations operations, Session session, Coordinator coordinator) {
    SyncRunner runner = new SyncRunner(operations.chief(), session, coordinator);
    session.run(operations.chief().initTokens());
    LooperThread.loop("sync-departures", coordinator, LOOK, runner::look);
    thread("sync-replicas", coordinator, runner::runSteps);
    thread("sync-stop", coordinator, runner::cancelOnStop);
    return runner;
  }

  /** Whether all workers have left, after which no step will end any more. */
  public synchronized boolean allLeft() {
    return departed >= operations.replicas().total();
  }

  private static void thread(String name, Coordinator coordinator, Runnable body) {
    Thread thread = new Thread(() -> coordinator.stopOnException(body), name);
    thread.setDaemon(true);
    coordinator.register(thread);
    thread.start();
  }

  private void runSteps() {
    while (!coordinator.shouldStop()) {
      try (RunningStep step = begin()) {
        step.await().close();
      } catch (TributaryException e) {
        if (e.code() != ErrorCode.CANCELLED) {
          throw e;
        }
      }
    }
  }

  private RunningStep begin() {
    int left = departedSoFar();
    int gradients = operations.replicas().required(left);
    try (Tensor required = Tensor.scalar(gradients);
        Tensor tokens = Tensor.scalar(operations.replicas().tokens(left))) {
      RunningStep step =
          session
              .runner()
              .feed(operations.required(), required)
              .feed(operations.tokens(), tokens)
              .target(operations.sync())
              .start();
      setCurrent(new ModelStep(step, gradients));
      if (coordinator.shouldStop()) {
        step.cancel();
      }
      return step;
    }
  }

  private void look() {
    Optional<ModelStep> step = currentStep();
    int left;
    try (StepResult result = session.runner().fetch(operations.departed()).run()) {
      left = result.get(0).intValue();
    }
    setDeparted(left);
    if (step.isPresent()
        && operations.replicas().required(left) < step.get().required()
        && isOnlyWaiting(step.get().required())) {
      step.get().running().cancel();
    }
  }

  /**
   * Whether a step has taken no gradients. It has surely not if all accumulators have as many, some
   * but too few. A step that has taken some must not be cancelled: they would be lost, and their
   * workers would wait for ever.
   */
  private boolean isOnlyWaiting(int required) {
    try (StepResult counts = session.runner().fetch(operations.counts()).run()) {
      int count = counts.get(0).intValue();
      for (int i = 1; i < counts.size(); i++) {
        if (counts.get(i).intValue() != count) {
          return false;
        }
      }
      return count > 0 && count < required;
    }
  }

  private void cancelOnStop() {
    while (!coordinator.waitForStop(Duration.ofMinutes(1))) {
      // Waits on.
    }
    currentStep().ifPresent(step -> step.running().cancel());
  }

  private synchronized int departedSoFar() {
    return departed;
  }

  private synchronized void setDeparted(int now) {
    departed = now;
  }

  private synchronized Optional<ModelStep> currentStep() {
    return current;
  }

  private synchronized void setCurrent(ModelStep step) {
    current = Optional.of(step);
  }
}
