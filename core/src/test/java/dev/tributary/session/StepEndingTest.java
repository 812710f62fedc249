package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.TinyOps;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How steps end that do not run to their end: deadlines, cancellation, closed sessions. */
@NoLeaks
@Timeout(60)
class StepEndingTest {
  private final TinyOps tf = new TinyOps();
  private final Session session = Session.local(tf.graph());
  private final Output one = tf.constant(1);

  @AfterEach
  void close() {
    session.close();
    tf.close();
  }

  @Test
  void timeout_asynchronousNode_isNamed() {
    Output y = tf.op("TestWait", one);

    assertThatThrownBy(() -> session.runner().fetch(y).options(timeout(30)).run())
        .hasMessageContainingAll("30 ms", "not finished", "TestWait '" + y.operation().name() + "'")
        .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
  }

  @Test
  void timeout_nodeThatHoldsItsThread_isNamed() throws InterruptedException {
    Output y = tf.op("TestBlock", one);
    RunningStep step = session.runner().fetch(y).options(timeout(30)).start();
    tf.blocked.await();
    Thread unblocker = new Thread(() -> unblockWhenCancelled(step), "unblocker");
    unblocker.start();

    assertThatThrownBy(step::await)
        .hasMessageContainingAll("30 ms", "TestBlock '" + y.operation().name() + "'")
        .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
    unblocker.join();
  }

  @Test
  void timeout_stepInTime_doesNotFire() {
    for (int i = 0; i < 50; i++) {
      try (StepResult result = session.runner().fetch(one).options(timeout(60_000)).run()) {
        assertThat(result.get(0).longValue()).isEqualTo(1);
      }
    }
  }

  @Test
  void timeout_notPositive_isRefused() {
    assertThatThrownBy(() -> timeout(0)).hasMessageContaining("timeout");
  }

  @Test
  void cancel_waitingStep_endsIt() throws InterruptedException {
    Output y = tf.op("TestWait", one);
    RunningStep step = session.runner().fetch(y).start();
    tf.gate.next();
    step.cancel();

    assertThatThrownBy(step::await)
        .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.CANCELLED));
    step.close();
    step.cancel();
    try (StepResult again = session.runner().fetch(one).run()) {
      assertThat(again.get(0).longValue()).isEqualTo(1);
    }
  }

  @Test
  void close_stepNobodyAwaited_givesItsResultBack() throws InterruptedException {
    Output x = tf.placeholder(Shape.scalar());
    try (Tensor feed = Tensor.scalar(3L)) {
      RunningStep step = session.runner().feed(x, feed).fetch(tf.add(x, x)).start();
      step.close();
      assertThat(step.isDone()).isTrue();
    }
  }

  @Test
  void interrupt_waitingThread_cancelsItsStep() throws InterruptedException {
    Output y = tf.op("TestWait", one);
    Throwable[] seen = new Throwable[1];
    boolean[] flag = new boolean[1];
    Thread waiter =
        new Thread(
            () -> {
              try {
                session.runner().fetch(y).run();
              } catch (TributaryException e) {
                seen[0] = e;
                flag[0] = Thread.currentThread().isInterrupted();
              }
            },
            "waiter");
    waiter.start();
    tf.gate.next();
    waiter.interrupt();
    waiter.join();

    assertThat(code(seen[0])).isEqualTo(ErrorCode.CANCELLED);
    assertThat(flag[0]).isTrue();
  }

  @Test
  void closeSession_whileStepsRun_cancelsThem() throws InterruptedException {
    Output y = tf.op("TestWait", one);
    RunningStep first = session.runner().fetch(y).start();
    RunningStep second = session.runner().fetch(y).options(timeout(60_000)).start();
    tf.gate.next();
    tf.gate.next();
    session.close();

    assertThat(first.isDone() && second.isDone()).isTrue();
    for (RunningStep step : List.of(first, second)) {
      assertThatThrownBy(step::await)
          .hasMessage("the session is closed: open another one on the same graph")
          .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.CANCELLED));
    }
  }

  @Test
  void closedSession_laterCalls_failWithCancelled() {
    StepCallable callable = session.prepare(List.of(), List.of(one), List.of());
    session.close();
    session.close();

    for (Runnable call :
        List.<Runnable>of(
            () -> session.runner().fetch(one).run(),
            () -> session.runner().fetch(one).start(),
            () -> session.prepare(List.of(), List.of(one), List.of()),
            () -> callable.run())) {
      assertThatThrownBy(call::run)
          .hasMessage("the session is closed: open another one on the same graph")
          .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.CANCELLED));
    }
  }

  @Test
  void closedSession_leavesNoThread() {
    Set<Thread> before = threads();
    try (Session other = Session.local(tf.graph())) {
      Output sum = one;
      for (int i = 0; i < 8; i++) {
        sum = tf.add(sum, tf.op("TestBlock", one));
      }
      tf.unblock.countDown();
      other.runner().fetch(sum).options(timeout(60_000)).run().close();
      assertThat(threads()).hasSizeGreaterThan(before.size()).allMatch(Thread::isDaemon);
    }
    Set<Thread> left = threads();
    left.removeAll(before);
    assertThat(left).isEmpty();
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith("tributary-") && t.isAlive())
        .collect(Collectors.toSet());
  }

  /** A blocked kernel cannot be stopped, so the deadline is seen when it comes back. */
  private void unblockWhenCancelled(RunningStep step) {
    long limit = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!((PendingStep) step).isCancelled() && System.nanoTime() < limit) {
      Thread.onSpinWait();
    }
    tf.unblock.countDown();
  }

  private static RunOptions timeout(long millis) {
    return RunOptions.defaults().withTimeout(Duration.ofMillis(millis));
  }

  private static ErrorCode code(Throwable e) {
    return ((TributaryException) e).code();
  }
}
