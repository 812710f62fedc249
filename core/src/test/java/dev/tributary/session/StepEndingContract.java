package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The ends of steps that do not run to their end: deadlines, cancellation, closed sessions. */
abstract class StepEndingContract extends SessionFixture {
  @Test
  void start_thenAwait_givesTheResult() {
    Gate gate = gate();
    Output x = scalar();
    Output y = tf.add(x, gate.zero());
    RunningStep step;
    try (Tensor five = value(5)) {
      step = session.runner().feed(x, five).fetch(y).start();
    }
    assertThat(step.isDone()).isFalse();
    gate.open(session);

    try (StepResult result = step.await()) {
      assertThat(result.get(0).floatValue()).isEqualTo(5);
      assertThat(step.isDone()).isTrue();
    }
  }

  @Test
  void cancel_waitingStep_endsIt() {
    RunningStep step = session.runner().fetch(gate().zero()).start();
    step.cancel();

    fails(ErrorCode.CANCELLED, step::await);
    step.close();
    step.cancel();
    assertThat(fetch(tf.constant(1f))).isEqualTo(1);
  }

  @Test
  void cancel_endlessLoop_endsIt() {
    RunningStep step = session.runner().fetch(endlessLoop()).start();
    step.cancel();

    fails(ErrorCode.CANCELLED, step::await);
  }

  @Test
  void close_stepNobodyAwaited_givesItsResultBack() {
    RunningStep step = session.runner().fetch(tf.neg(tf.constant(1f))).start();
    step.close();

    assertThat(step.isDone()).isTrue();
  }

  @Test
  void interrupt_waitingThread_cancelsItsStep() throws Exception {
    Output y = gate().zero();
    CompletableFuture<TributaryException> failure = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                session.runner().fetch(y).run();
              } catch (TributaryException e) {
                failure.complete(e);
                interrupted.complete(Thread.currentThread().isInterrupted());
              }
            },
            "waiter");
    waiter.start();
    waiter.interrupt();

    assertThat(failure.get(30, TimeUnit.SECONDS).code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
    waiter.join(TimeUnit.SECONDS.toMillis(30));
  }

  @Test
  void timeout_waitingStep_isExceeded() {
    Output y = gate().zero();

    fails(
        ErrorCode.DEADLINE_EXCEEDED,
        () -> session.runner().fetch(y).options(timeout(100)).run(),
        "100 ms");
  }

  @Test
  void timeout_callable_isExceeded() {
    try (StepCallable callable = session.prepare(List.of(), List.of(gate().zero()), List.of())) {
      fails(ErrorCode.DEADLINE_EXCEEDED, () -> callable.run(timeout(100)), "100 ms");
    }
  }

  @Test
  void timeout_endlessLoop_isExceeded() {
    Output y = endlessLoop();

    fails(
        ErrorCode.DEADLINE_EXCEEDED,
        () -> session.runner().fetch(y).options(timeout(300)).run(),
        "300 ms");
  }

  @Test
  void timeout_stepInTime_doesNotFire() {
    Output one = tf.constant(1f);
    for (int i = 0; i < 50; i++) {
      try (StepResult result = session.runner().fetch(one).options(timeout(60_000)).run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(1);
      }
    }
  }

  @Test
  void closeSession_whileStepsRun_cancelsThem() {
    Output y = gate().zero();
    Output loop = endlessLoop();
    List<RunningStep> steps = new ArrayList<>();
    steps.add(session.runner().fetch(y).start());
    steps.add(session.runner().fetch(y).options(timeout(60_000)).start());
    steps.add(session.runner().fetch(loop).start());
    session.close();

    for (RunningStep step : steps) {
      assertThat(step.isDone()).isTrue();
      fails(ErrorCode.CANCELLED, step::await, "session is closed");
    }
  }

  @Test
  void closedSession_laterCalls_failWithCancelled() {
    Output one = tf.constant(1f);
    StepCallable callable = session.prepare(List.of(), List.of(one), List.of());
    session.close();
    session.close();

    fails(ErrorCode.CANCELLED, () -> session.runner().fetch(one).run(), "session is closed");
    fails(ErrorCode.CANCELLED, () -> session.runner().fetch(one).start(), "session is closed");
    fails(ErrorCode.CANCELLED, () -> session.prepare(List.of(), List.of(one), List.of()));
    fails(ErrorCode.CANCELLED, () -> callable.run());
    callable.close();
  }

  private Output endlessLoop() {
    return tf.flow
        .whileLoop(
            List.of(tf.constant(0f)),
            (scope, vars) -> scope.less(vars.get(0), scope.constant(1f)),
            (scope, vars) -> List.of(scope.mul(vars.get(0), scope.constant(0.5f))))
        .get(0);
  }

  static RunOptions timeout(long millis) {
    return RunOptions.defaults().withTimeout(Duration.ofMillis(millis));
  }
}
