package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.TinyOps;
import java.time.Duration;
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
    RunningStep step = session.runner().fetch(y).options(timeout(2000)).start();
    tf.blocked.await();
    Thread unblocker = new Thread(() -> unblockWhenCancelled(step), "unblocker");
    unblocker.start();

    assertThatThrownBy(step::await)
        .hasMessageContainingAll("2000 ms", "TestBlock '" + y.operation().name() + "'")
        .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
    unblocker.join();
  }

  @Test
  void timeout_notPositive_isRefused() {
    assertThatThrownBy(() -> timeout(0)).hasMessageContaining("timeout");
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
    while (!((StartedStep) step).pending().isCancelled() && System.nanoTime() < limit) {
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
