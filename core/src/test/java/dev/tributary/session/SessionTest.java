package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.TinyOps;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NoLeaks
@Timeout(60)
class SessionTest {
  private final TinyOps tf = new TinyOps();
  private final Session session = Session.local(tf.graph());

  @AfterEach
  void close() {
    session.close();
    tf.close();
  }

  @Test
  void run_feedOfAComputedOutput_overridesItAndSparesItsInputs() {
    Output computed = tf.op("TestFail", tf.constant(1));
    Output y = tf.add(computed, tf.constant(1));

    try (Tensor ten = Tensor.scalar(10L);
        StepResult result = session.run(Map.of(computed, ten), List.of(y), List.of())) {
      assertThat(result.get(0).longValue()).isEqualTo(11);
    }
  }

  @Test
  void run_feedThatIsFetched_comesBackAsItIs() {
    Output x = tf.placeholder(Shape.scalar());

    try (Tensor five = Tensor.scalar(5L);
        StepResult result = session.run(Map.of(x, five), List.of(x), List.of(x.operation()))) {
      assertThat(result.get(0).sharesStorageWith(five)).isTrue();
    }
  }

  @Test
  void run_malformedFeeds_areRefusedBeforeAnythingRuns() {
    Output x = tf.placeholder(Shape.of(2));
    Output other = tf.placeholder(Shape.scalar());
    Output count = count("ran", tf.constant(1));
    try (Tensor wrongType = Tensor.of(1f, 2f);
        Tensor wrongShape = Tensor.of(1L, 2L, 3L);
        Tensor right = Tensor.of(1L, 2L)) {
      refused(
          () -> session.runner().feed(x, wrongType).fetch(count).run(),
          "is int64 and was fed a float tensor");
      refused(
          () -> session.runner().feed(x, wrongShape).fetch(count).run(),
          "has shape [2]",
          "of shape [3]");
      refused(() -> session.runner().feed(x, right).feed(x, right).fetch(count).run(), "fed twice");
      Tensor closed = Tensor.of(1L, 2L);
      closed.close();
      assertThatThrownBy(() -> session.runner().feed(x, closed).fetch(count).run())
          .hasMessageContaining("after it was closed")
          .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.FAILED_PRECONDITION));
      refused(() -> session.runner().feed(x, right).run(), "something to fetch or a target");
      refused(
          () -> session.runner().fetch(x).run(),
          "Placeholder '" + x.operation().name(),
          "must feed");
      refused(() -> session.runner().fetch(other).run(), "must feed");
    }
    assertThat(fetch(count)).isEqualTo(1);
  }

  @Test
  void run_unknownName_tellsWhatExists() {
    Output c = tf.constant(1);

    assertThatThrownBy(() -> session.runner().fetch("nowhere:0"))
        .hasMessageContaining("nowhere")
        .hasMessageContaining(c.operation().name());
    assertThatThrownBy(() -> session.runner().fetch(c.operation().name() + ":1"))
        .hasMessageContaining("1 outputs");
    assertThatThrownBy(() -> session.runner().fetch(c.operation().name() + ":b"))
        .hasMessageContaining("operation:index");
  }

  @Test
  void run_fetchOfOperations_givesTheirOutputsOrJustRunsThem() {
    Operation branch = tf.switchOn(tf.constant(1), tf.less(tf.constant(1), tf.constant(2)));
    Operation merge = tf.merge(branch.output(0), branch.output(1));
    Operation nothing = tf.operation("TestNothing");

    try (StepResult result = session.runner().fetch(merge).fetch(nothing).run()) {
      assertThat(result).hasSize(2);
      assertThat(result.get(1).intValue()).isEqualTo(1);
    }
  }

  @Test
  void run_fetchInsideALoop_isAClearError() {
    Output[] inside = new Output[1];
    tf.loop(
        "again",
        10,
        tf.constant(0),
        tf.constant(5),
        v -> inside[0] = tf.add(v, tf.enter(tf.constant(1), "again", true, 10)));

    refused(
        () -> session.runner().fetch(inside[0]).run(),
        "fetch '" + inside[0].name() + "'",
        "loop 'again'");
    refused(
        () -> session.run(inside[0].operation()),
        "target '" + inside[0].operation().name() + "'",
        "loop 'again'");
  }

  @Test
  void run_failingNode_namesOpNodeAndDeviceAndLeavesTheSessionWell() {
    Output x = tf.placeholder(Shape.scalar());
    Output bad = tf.op("TestFail", x);
    Output good = tf.add(x, x);
    try (Tensor one = Tensor.scalar(1L)) {
      refused(
          () -> session.runner().feed(x, one).fetch(good).fetch(bad).run(),
          "TestFail '" + bad.operation().name() + "'",
          "/job:localhost/replica:0/task:0/device:CPU:0",
          "broken on purpose");
      try (StepResult result = session.runner().feed(x, one).fetch(good).run()) {
        assertThat(result.get(0).longValue()).isEqualTo(2);
      }
    }
  }

  @Test
  void run_statefulNodeInSeveralSteps_keepsOneState() {
    Output sequence = tf.op("TestSequence");
    Output next = tf.add(sequence, tf.constant(0));

    assertThat(List.of(fetch(sequence), fetch(next), fetch(sequence), fetch(next)))
        .containsExactly(0L, 1L, 2L, 3L);
  }

  @Test
  void run_referenceVariable_isReadAssignedAndNotFed() {
    Output variable = tf.op("TestVariable");
    Operation assign = tf.operation("TestAssign", variable, tf.constant(7));

    assertThatThrownBy(() -> fetch(variable)).hasMessageContaining("uninitialized");
    session.run(assign);
    assertThat(fetch(variable)).isEqualTo(7);
    assertThat(fetch(tf.add(variable, variable))).isEqualTo(14);
    try (Tensor one = Tensor.scalar(1L)) {
      refused(
          () -> session.runner().feed(variable, one).target(assign).run(),
          "needs the variable itself");
    }
  }

  @Test
  void run_wantedDevice_isCheckedAgainstTheSessionsOwn() {
    Operation fits = tf.graph().scope().withDevice("/cpu:0").operation("TestNothing").build();
    Operation gpu = tf.graph().scope().withDevice("/device:GPU:0").operation("TestNothing").build();
    Operation remote = tf.graph().scope().withDevice("/job:ps").operation("TestNothing").build();

    session.run(fits);
    refused(
        () -> session.run(gpu),
        "TestNothing '" + gpu.name() + "'",
        "/device:GPU:0",
        "/job:localhost");
    try (Session soft =
        Session.local(tf.graph(), SessionOptions.defaults().withSoftPlacement(true))) {
      soft.run(gpu);
      refused(() -> soft.run(remote), "/job:ps");
    }
  }

  @Test
  void options_threadsBelowOne_areRefused() {
    refused(() -> SessionOptions.defaults().withInterOpThreads(0), "inter-op", "got 0");
    refused(() -> SessionOptions.defaults().withIntraOpThreads(-1), "intra-op", "got -1");
  }

  private Output count(String name, Output delta) {
    return tf.graph()
        .scope()
        .operation("TestCount")
        .input(delta)
        .attr("shared_name", name)
        .buildOutput();
  }

  private long fetch(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      assertThat(result.get(0).type()).isEqualTo(DataType.INT64);
      return result.get(0).longValue();
    }
  }

  private static void refused(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(TributaryException.class)
        .hasMessageContainingAll(parts)
        .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  private static ErrorCode code(Throwable e) {
    return ((TributaryException) e).code();
  }
}
