package dev.tributary.cluster.internal.session;

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
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
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

  private Session open(Way way) {
    return Session.open(servers.target("worker", 0), tf.graph(), way.options());
  }
}
