package dev.tributary.internal.executor;

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

/** What holds however a step is run. */
@NoLeaks
@Timeout(60)
abstract class ExecutorContract {
  final TinyOps tf = new TinyOps();
  final Session session;
  final Output x = tf.placeholder(Shape.scalar());

  ExecutorContract(boolean fixedOrder) {
    session =
        Session.local(
            tf.graph(), SessionOptions.defaults().withInterOpThreads(1).withFixedOrder(fixedOrder));
  }

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

  @Test
  void value_usedTwiceByOneNode_isNotOverwrittenBetween() {
    Output doubled = tf.add(x, x);

    assertThat(run(tf.sub(tf.add(doubled, doubled), x), 5)).isEqualTo(15);
  }

  @Test
  void outputs_thatNobodyUses_areGivenBack() {
    Output unused = tf.add(x, x);
    try (Tensor feed = Tensor.scalar(5L);
        StepResult result =
            session
                .runner()
                .feed(x, feed)
                .fetch(x)
                .target(unused.operation())
                .target(tf.add(unused, x).operation())
                .run()) {
      assertThat(result.get(0).longValue()).isEqualTo(5);
    }
  }

  @Test
  void failure_amongOtherValues_leavesTheNextStepAlone() {
    Output first = tf.add(x, x);
    Output failing = tf.add(tf.op("TestFail", tf.add(first, x)), first);
    Output good = tf.add(first, x);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> run(failing, 1)).hasMessageContaining("TestFail");
      assertThat(run(good, 1)).isEqualTo(3);
    }
  }

  @Test
  void controlEdges_withoutData_orderNodes() {
    Output before = tf.op("TestCrash", x);
    Output after =
        tf.graph()
            .scope()
            .withControlDependencies(List.of(before.operation()))
            .operation("TestUnset")
            .input(x)
            .buildOutput();

    assertThatThrownBy(() -> run(after, 1)).hasMessageContaining("a defect");
  }

  long run(Output fetch, long value) {
    try (Tensor feed = Tensor.scalar(value);
        StepResult result = session.run(Map.of(x, feed), List.of(fetch), List.of())) {
      return result.get(0).longValue();
    }
  }
}
