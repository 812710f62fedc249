package dev.tributary.train.replica;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.LooperThread;
import java.time.Duration;
import java.util.Optional;

/**
 * The chief's part in synchronous training: one step of the model after the other, in a thread of
 * its own, until the coordinator says stop. A second thread looks whether workers are gone; if the
 * step that runs waits for more gradients than there can be, it is cancelled and begun anew with
 * fewer. TensorFlow calls it the chief's queue runner. Guarded by its own monitor.
 */
public final class SyncRunner {
  /** How often to look whether workers are gone. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final ChiefOperations operations;
  private final Session session;
  private final Coordinator coordinator;
  private final Roster roster;
  private Optional<RunningStep> current = Optional.empty();

  private SyncRunner(ChiefOperations operations, Session session, Coordinator coordinator) {
    this.operations = operations;
    this.session = session;
    this.coordinator = coordinator;
    this.roster = operations.roster().in(session);
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
    coordinator.onStop(runner::cancelStep);
    return runner;
  }

  /** Whether all workers are gone, after which no step will end any more. */
  public boolean allLeft() {
    return roster.allLeft();
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
        roster.made();
      } catch (TributaryException e) {
        if (e.code() != ErrorCode.CANCELLED) {
          throw e;
        }
        if (!coordinator.shouldStop()) {
          roster.recover();
        }
      }
    }
  }

  private RunningStep begin() {
    try (StepPlan plan = roster.next()) {
      RunningStep step =
          session
              .runner()
              .feed(operations.required(), plan.required())
              .feed(operations.tokens(), plan.tokens())
              .target(operations.sync())
              .start();
      setCurrent(step);
      if (coordinator.shouldStop()) {
        step.cancel();
      }
      return step;
    }
  }

  private void look() {
    Optional<RunningStep> step = currentStep();
    if (roster.isStuck()) {
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
