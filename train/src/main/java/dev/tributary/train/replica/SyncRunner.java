package dev.tributary.train.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.queue.Coordinator;
import java.time.Duration;
import java.util.Optional;

/**
 * The chief's part in synchronous training, which TensorFlow calls the chief's queue runner: makes
 * one step of the model after the other, in a thread of its own, until the coordinator requests a
 * stop. A second thread watches the workers; if the running step waits for more gradients than can
 * come, it is cancelled and begins again with fewer. Guarded by its own monitor.
 */
final class SyncRunner {
  private static final Duration MEMBERSHIP_INTERVAL = Duration.ofMillis(100);

  private final ChiefOperations operations;
  private final Session session;
  private final Coordinator coordinator;
  private final StepPlanner planner;

  @GuardedBy("this")
  private Optional<RunningStep> current = Optional.empty();

  private SyncRunner(ChiefOperations operations, Session session, Coordinator coordinator) {
    this.operations = operations;
    this.session = session;
    this.coordinator = coordinator;
    this.planner = new StepPlanner(operations, session);
  }

  /**
   * Enqueues the first tokens and starts the threads, for the coordinator to join. Called once,
   * after the model and the chief's local step are initialized.
   */
  static SyncRunner start(SyncOperations operations, Session session, Coordinator coordinator) {
    SyncRunner runner = new SyncRunner(operations.chief(), session, coordinator);
    session.run(operations.chief().initTokens());
    coordinator.loop("sync-membership", MEMBERSHIP_INTERVAL, runner::cancelIfStuck);
    thread("sync-replicas", coordinator, runner::runSteps);
    coordinator.onStop(runner::cancelStep);
    return runner;
  }

  /** Returns whether all workers are gone, after which no step will end any more. */
  boolean allLeft() {
    return planner.allLeft();
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
        planner.made();
      } catch (TributaryException e) {
        if (e.code() != ErrorCode.CANCELLED) {
          throw e;
        }
        if (!coordinator.shouldStop()) {
          planner.recover();
        }
      }
    }
  }

  private RunningStep begin() {
    StepPlanner.Plan plan = planner.next();
    try (Tensor required = Tensor.scalar(plan.required());
        Tensor tokens = planner.tokens(plan)) {
      RunningStep step =
          session
              .runner()
              .feed(operations.required(), required)
              .feed(operations.tokens(), tokens)
              .target(operations.sync())
              .start();
      setCurrent(step);
      if (coordinator.shouldStop()) {
        step.cancel();
      }
      return step;
    }
  }

  private void cancelIfStuck() {
    Optional<RunningStep> step = currentStep();
    if (planner.isStuck()) {
      step.ifPresent(RunningStep::cancel);
    }
  }

  private void cancelStep() {
    currentStep().ifPresent(RunningStep::cancel);
  }

  private synchronized Optional<RunningStep> currentStep() {
    return current;
  }

  private synchronized void setCurrent(RunningStep step) {
    current = Optional.of(step);
  }
}
