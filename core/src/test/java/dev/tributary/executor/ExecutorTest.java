package dev.tributary.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Gate;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.TinyOps;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NoLeaks
@Timeout(60)
class ExecutorTest {
  private final TinyOps tf = new TinyOps();
  private final Session session =
      Session.local(tf.graph(), SessionOptions.defaults().withInterOpThreads(1));
  private final Output x = tf.placeholder(Shape.scalar());

  @AfterEach
  void close() {
    session.close();
    tf.close();
  }

  @Test
  void chain_ofTenThousandNodes_runsWithoutDeepStacks() {
    Output value = x;
    for (int i = 0; i < 10_000; i++) {
      value = tf.add(value, x);
    }

    assertThat(run(value, 1)).isEqualTo(10_001);
  }

  @Test
  void chain_ofAsynchronousNodes_runsWithoutDeepStacks() {
    Output value = x;
    for (int i = 0; i < 10_000; i++) {
      value = tf.op("TestAtOnce", value);
    }

    assertThat(run(value, 3)).isEqualTo(3);
  }

  @Test
  void asyncKernel_completedByAnotherThread_goesOn() throws InterruptedException {
    Output y = tf.add(tf.op("TestWait", x), x);
    try (Tensor feed = Tensor.scalar(2L);
        RunningStep step = session.runner().feed(x, feed).fetch(y).start()) {
      Gate.Waiter waiter = tf.gate.next();
      assertThat(step.isDone()).isFalse();
      waiter.pass();
      waiter.completion().fail(TributaryException.internal("too late to count"));
      try (StepResult result = step.await()) {
        assertThat(result.get(0).longValue()).isEqualTo(4);
      }
    }
  }

  @Test
  void asyncKernel_thatFailsAfterSettingItsOutput_failsTheStep() throws InterruptedException {
    Output y = tf.op("TestWait", x);
    try (Tensor feed = Tensor.scalar(2L);
        RunningStep step = session.runner().feed(x, feed).fetch(y).start()) {
      Gate.Waiter waiter = tf.gate.next();
      waiter.context().allocateOutput(0, Shape.scalar());
      waiter.completion().fail(TributaryException.outOfRange("the queue is closed"));

      assertThatThrownBy(step::await)
          .hasMessageContainingAll("TestWait '" + y.operation().name() + "'", "the queue is closed")
          .satisfies(
              e -> assertThat(((TributaryException) e).code()).isEqualTo(ErrorCode.OUT_OF_RANGE));
    }
  }

  @Test
  void asyncKernel_succeedingWithoutOutput_isADefectOfTheKernel() throws InterruptedException {
    Output y = tf.op("TestWait", x);
    try (Tensor feed = Tensor.scalar(2L);
        RunningStep step = session.runner().feed(x, feed).fetch(y).start()) {
      tf.gate.next().completion().succeed();

      assertThatThrownBy(step::await).hasMessageContaining("left an output unset");
    }
  }

  @Test
  void failure_whileOthersWait_cancelsThemAndIsTheOneReported() throws InterruptedException {
    Output first = tf.op("TestWait", x);
    Output second = tf.op("TestWait", tf.add(x, x));
    try (Tensor feed = Tensor.scalar(2L);
        RunningStep step = session.runner().feed(x, feed).fetch(first).fetch(second).start()) {
      tf.gate.next().completion().fail(TributaryException.outOfRange("the first"));

      assertThatThrownBy(step::await)
          .hasMessageContaining("the first")
          .hasMessageContaining("TestWait");
    }
  }

  @Test
  void kernel_withADefect_isReportedAsInternal() {
    assertThatThrownBy(() -> run(tf.op("TestCrash", x), 1))
        .hasMessageContainingAll("TestCrash 'TestCrash'", "a defect")
        .hasCauseInstanceOf(IllegalStateException.class)
        .satisfies(e -> assertThat(((TributaryException) e).code()).isEqualTo(ErrorCode.INTERNAL));
    assertThatThrownBy(() -> run(tf.op("TestUnset", x), 1))
        .hasMessageContaining("left an output unset");
  }

  @Test
  void expensiveNodes_moreThanThreads_allRun() throws InterruptedException {
    Output sum = x;
    for (int i = 0; i < 20; i++) {
      sum = tf.add(sum, tf.op("TestBlock", x));
    }
    try (Tensor feed = Tensor.scalar(1L);
        RunningStep step = session.runner().feed(x, feed).fetch(sum).start()) {
      tf.blocked.await();
      tf.unblock.countDown();
      try (StepResult result = step.await()) {
        assertThat(result.get(0).longValue()).isEqualTo(21);
      }
    }
  }

  @Test
  void inPlaceResult_whereOthersStillReadTheInput_doesNotTouchIt() {
    Output doubled = tf.add(x, x);
    Output a = tf.add(doubled, tf.constant(1));
    Output b = tf.sub(doubled, tf.constant(1));

    try (Tensor feed = Tensor.scalar(5L);
        StepResult result = session.run(Map.of(x, feed), List.of(a, b, doubled, x), List.of())) {
      assertThat(result).extracting(Tensor::longValue).containsExactly(11L, 9L, 10L, 5L);
    }
  }

  private long run(Output fetch, long value) {
    try (Tensor feed = Tensor.scalar(value);
        StepResult result = session.run(Map.of(x, feed), List.of(fetch), List.of())) {
      return result.get(0).longValue();
    }
  }
}
