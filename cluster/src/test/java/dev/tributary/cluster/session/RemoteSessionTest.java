package dev.tributary.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.DeviceDescription;
import dev.tributary.session.PartialRun;
import dev.tributary.session.RunOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions on a cluster of one ps and two workers, by the short cut and over the wire. */
@NoLeaks
@Timeout(120)
class RemoteSessionTest {
  enum Way {
    SHORT_CUT,
    WIRE;

    SessionOptions options() {
      ClusterOptions cluster = ClusterOptions.defaults().withOpenTimeout(Duration.ofSeconds(60));
      return SessionOptions.defaults()
          .withCluster(this == WIRE ? cluster.withoutShortCut() : cluster);
    }
  }

  private static ServersForTest servers;
  private final Ops tf = Ops.create();

  @BeforeAll
  static void startCluster() {
    servers = ServersForTest.start(Map.of("ps", 1, "worker", 2));
  }

  @AfterAll
  static void stopCluster() {
    servers.close();
  }

  @AfterEach
  void clear() {
    tf.graph().close();
    Session.reset(servers.target("worker", 0), List.of());
  }

  @ParameterizedTest
  @EnumSource
  void run_nodesOnThreeTasks_givesTheirValue(Way way) {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output twice = tf.withDevice("/job:ps/task:0").add(x, x);
    Output negated = tf.withDevice("/job:worker/task:1").neg(twice);
    Output sum = tf.withDevice("/job:worker/task:0").add(negated, x);

    try (Session session = open(way);
        Tensor values = Tensor.of(1f, 2f);
        StepResult result = session.runner().feed(x, values).fetch(sum).fetch(twice).run()) {
      assertThat(result.get(0).toFloats()).containsExactly(-1f, -2f);
      assertThat(result.get(1).toFloats()).containsExactly(2f, 4f);
    }
  }

  @ParameterizedTest
  @EnumSource
  void run_sameFetchTwice_givesItTwice(Way way) {
    Output two = tf.add(tf.constant(1f), tf.constant(1f));

    try (Session session = open(way);
        StepResult result = session.runner().fetch(two).fetch(two).run();
        StepCallable callable = session.prepare(List.of(), List.of(two, two), List.of());
        StepResult again = callable.run()) {
      assertThat(result.get(0).floatValue()).isEqualTo(result.get(1).floatValue()).isEqualTo(2f);
      assertThat(again).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void run_graphGrewSinceTheLastStep_knowsNewNodes(Way way) {
    Output one = tf.constant(1f);
    try (Session session = open(way)) {
      session.runner().fetch(one).run().close();
      for (int i = 0; i < 3; i++) {
        Output grown = tf.add(one, tf.constant((float) i));
        try (StepResult result = session.runner().fetch(grown).run()) {
          assertThat(result.get(0).floatValue()).isEqualTo(1f + i);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void run_nodeOnUnknownTask_failsEachTimeAndTheRestGoesOn(Way way) {
    Output one = tf.constant(1f);
    try (Session session = open(way)) {
      Output lost = tf.withDevice("/job:worker/task:7").neg(one);
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(TributaryException.class)
            .isThrownBy(() -> session.runner().fetch(lost).run())
            .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
            .withMessageContaining("task:7");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void sessions_onTwoServers_shareVariables(Way way) {
    Variable counter = tf.withDevice("/job:ps/task:0").variable("counter", tf.constant(0f));
    Operation increment = counter.assignAdd(tf.constant(1f));
    Operation init = tf.globalVariablesInitializer();

    try (Session first = open(way);
        Session second = Session.open(servers.target("worker", 1), tf.graph(), way.options())) {
      first.run(init);
      first.run(increment);
      try (StepResult seen = second.runner().fetch(counter.value()).run()) {
        assertThat(seen.get(0).floatValue()).isEqualTo(1f);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void sessions_isolated_doNotShareVariables(Way way) {
    Variable counter = tf.variable("own", tf.constant(5f));
    SessionOptions isolated =
        way.options().withCluster(way.options().cluster().withIsolatedState());

    try (Session first = Session.open(servers.target("worker", 0), tf.graph(), isolated);
        Session second = Session.open(servers.target("worker", 0), tf.graph(), isolated)) {
      first.run(counter.initializer());
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> second.runner().fetch(counter.value()).run())
          .matches(e -> e.code() == ErrorCode.FAILED_PRECONDITION);
    }
  }

  @ParameterizedTest
  @EnumSource
  void prepare_manySteps_run(Way way) {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of());
    Output square = tf.withDevice("/job:worker/task:1").mul(x, x);

    try (Session session = open(way);
        StepCallable callable = session.prepare(List.of(x), List.of(square), List.of())) {
      for (int i = 0; i < 20; i++) {
        try (Tensor value = Tensor.scalar((float) i);
            StepResult result = callable.run(value)) {
          assertThat(result.get(0).floatValue()).isEqualTo((float) i * i);
        }
      }
      callable.close();
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(callable::run)
          .matches(e -> e.code() == ErrorCode.CANCELLED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void partialRun_feedsInTwoPieces_givesBothValues(Way way) {
    Output a = tf.placeholder(DataType.FLOAT, Shape.of());
    Output b = tf.placeholder(DataType.FLOAT, Shape.of());
    Output sum = tf.add(a, tf.constant(10f));
    Output product = tf.mul(sum, b);

    try (Session session = open(way);
        Tensor one = Tensor.scalar(1f);
        Tensor two = Tensor.scalar(2f)) {
      PartialRun run = session.partialRun(List.of(a, b), List.of(sum, product), List.of());
      try (StepResult first = run.run(Map.of(a, one), List.of(sum))) {
        assertThat(first.get(0).floatValue()).isEqualTo(11f);
      }
      try (StepResult second = run.run(Map.of(b, two), List.of(product))) {
        assertThat(second.get(0).floatValue()).isEqualTo(22f);
      }
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> run.run(Map.of(b, two), List.of(product)))
          .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void devices_wholeCluster_areListed(Way way) {
    try (Session session = open(way)) {
      assertThat(session.devices())
          .extracting(DeviceDescription::name)
          .containsExactly(
              "/job:ps/replica:0/task:0/device:CPU:0",
              "/job:worker/replica:0/task:0/device:CPU:0",
              "/job:worker/replica:0/task:1/device:CPU:0");
      assertThat(session.devices()).allMatch(device -> device.incarnation() != 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void run_wrongFeed_failsBeforeItIsSent(Way way) {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(2));
    try (Session session = open(way);
        Tensor wrong = Tensor.of(1f, 2f, 3f)) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> session.runner().feed(x, wrong).fetch(tf.neg(x)).run())
          .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
          .withMessageContaining("[3]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void start_endlessLoopThenCancel_endsWithCancelled(Way way) {
    Output endless = endlessLoop();
    try (Session session = open(way);
        RunningStep step = session.runner().fetch(endless).start()) {
      step.cancel();
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(step::await)
          .matches(e -> e.code() == ErrorCode.CANCELLED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void run_endlessLoopWithTimeout_endsWithDeadlineExceeded(Way way) {
    Output endless = endlessLoop();
    try (Session session = open(way)) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(
              () ->
                  session
                      .runner()
                      .fetch(endless)
                      .options(RunOptions.defaults().withTimeout(Duration.ofMillis(300)))
                      .run())
          .matches(e -> e.code() == ErrorCode.DEADLINE_EXCEEDED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_whileAStepRuns_endsTheStep(Way way) {
    Output endless = endlessLoop();
    Session session = open(way);
    RunningStep step = session.runner().fetch(endless).start();

    session.close();

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(step::await)
        .matches(e -> e.code() == ErrorCode.CANCELLED);
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> session.runner().fetch(endless).run())
        .matches(e -> e.code() == ErrorCode.CANCELLED);
    session.close();
  }

  @ParameterizedTest
  @EnumSource
  void run_traced_tellsNodesOfAllTasks(Way way) {
    Output x = tf.withDevice("/job:ps/task:0").placeholder(DataType.FLOAT, Shape.of());
    Output y = tf.withDevice("/job:worker/task:1").neg(x);
    try (Session session = open(way);
        Tensor one = Tensor.scalar(1f);
        StepResult result =
            session
                .runner()
                .feed(x, one)
                .fetch(y)
                .options(RunOptions.defaults().withTrace())
                .run()) {
      assertThat(result.trace().orElseThrow().nodes())
          .anyMatch(node -> node.device().startsWith("/job:worker/replica:0/task:1"));
    }
  }

  private Output endlessLoop() {
    return tf.flow
        .whileLoop(
            List.of(tf.constant(0f)),
            (scope, vars) -> scope.less(vars.get(0), scope.constant(1f)),
            (scope, vars) -> List.of(scope.mul(vars.get(0), scope.constant(0.5f))))
        .get(0);
  }

  private Session open(Way way) {
    return Session.open(servers.target("worker", 0), tf.graph(), way.options());
  }
}
