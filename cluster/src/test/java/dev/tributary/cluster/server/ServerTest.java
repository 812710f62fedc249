package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.cluster.internal.session.MasterConnection;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.DeviceDescription;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.ConfigProto;

@NoLeaks
@Timeout(120)
class ServerTest {
  private static final ClusterSpec ANY_PORT =
      ClusterSpec.of(Map.of("local", List.of("localhost:0")));
  private static final TaskName LOCAL = new TaskName("local", 0);

  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void start_anyPort_tellsItInTheTarget() {
    Output sum = tf.add(tf.constant(1f), tf.constant(2f));
    try (Server server = Server.start(options());
        Session session = Session.open(server.target(), tf.graph());
        StepResult result = session.runner().fetch(sum).run()) {
      assertThat(server.target()).matches("grpc://localhost:[1-9][0-9]*");
      assertThat(result.get(0).floatValue()).isEqualTo(3f);
    }
  }

  @Test
  void start_takenPort_isRefused() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ClusterSpec cluster =
          ClusterSpec.of(Map.of("local", List.of("localhost:" + taken.getLocalPort())));

      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> Server.start(ServersForTest.options(cluster, LOCAL)))
          .matches(e -> e.code() == ErrorCode.FAILED_PRECONDITION)
          .withMessage(
              "cannot listen at localhost:%d: Address already in use; stop the process that has the"
                  + " port, or give the task another one in the cluster (--cluster, or --ps_hosts"
                  + " and --worker_hosts)",
              taken.getLocalPort());
    }
  }

  @Test
  void start_addressThatOthersReach_mustBeAllowed() {
    ClusterSpec open = ClusterSpec.of(Map.of("local", List.of("0.0.0.0:0")));

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> Server.start(ServersForTest.options(open, LOCAL)))
        .matches(e -> e.code() == ErrorCode.FAILED_PRECONDITION)
        .withMessageContaining("insecure");
    Server.start(ServersForTest.options(open, LOCAL).withInsecure(true)).stop();
  }

  @Test
  void options_unknownTask_listsKnownOnes() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> ServerOptions.of(ANY_PORT, "worker", 0))
        .matches(e -> e.code() == ErrorCode.NOT_FOUND)
        .withMessageContaining("/job:local/replica:0/task:0");
  }

  @Test
  void devices_countInConfig_isHeeded() {
    ConfigProto two = ConfigProto.newBuilder().putDeviceCount("CPU", 2).build();
    try (Server server = Server.start(options().withConfig(two));
        MasterConnection master = MasterConnection.open(server.target())) {
      assertThat(master.devices(Duration.ofSeconds(20)))
          .extracting(DeviceDescription::name)
          .containsExactly(
              "/job:local/replica:0/task:0/device:CPU:0",
              "/job:local/replica:0/task:0/device:CPU:1");
    }
  }

  @Test
  void stop_variablesAndARunningStep_endsAll() throws Exception {
    Variable variable = tf.variable("v", tf.constant(new float[1000]));
    Output endless =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0f)),
                (scope, vars) -> scope.less(vars.get(0), scope.constant(1f)),
                (scope, vars) -> List.of(scope.mul(vars.get(0), scope.constant(0.5f))))
            .get(0);
    Server server = Server.start(options());
    Session session =
        Session.open(
            server.target(),
            tf.graph(),
            SessionOptions.defaults().withCluster(ClusterOptions.defaults().withoutShortCut()));
    session.run(variable.initializer());
    RunningStep step = session.runner().fetch(endless).start();

    server.stop();
    server.stop();

    assertThat(server.join(Duration.ZERO)).isTrue();
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(step::await)
        .satisfies(
            e ->
                assertThat(e.code())
                    .isIn(ErrorCode.CANCELLED, ErrorCode.ABORTED, ErrorCode.UNAVAILABLE));
    session.close();
  }

  @Test
  void open_taskMissing_givesUpAndNamesIt() {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("local", 2));
    try (Server server =
        Server.start(
            ServersForTest.options(cluster, LOCAL)
                .withTimes(TimeLimits.defaults().withSession(Duration.ofSeconds(1))))) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> Session.open(server.target(), tf.graph()))
          .matches(
              e -> e.code() == ErrorCode.DEADLINE_EXCEEDED || e.code() == ErrorCode.UNAVAILABLE)
          .withMessageContaining("/job:local/replica:0/task:1");
    }
  }

  @Test
  void open_taskMissingButFilteredOut_works() {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("ps", 1, "worker", 2));
    SessionOptions filtered =
        SessionOptions.defaults()
            .withCluster(ClusterOptions.defaults().withDeviceFilters("/job:worker/task:0"));
    try (Server server = Server.start(ServersForTest.options(cluster, new TaskName("worker", 0)));
        Session session = Session.open(server.target(), tf.graph(), filtered)) {
      session.run(tf.noOp());
      assertThat(session.devices()).hasSize(1);
    }
  }

  @Test
  void restart_sameAddress_opensNewSessions() {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("local", 1));
    for (int life = 0; life < 3; life++) {
      try (Server server = Server.start(ServersForTest.options(cluster, LOCAL));
          Session session = Session.open(server.target(), tf.graph())) {
        session.run(tf.noOp());
      }
    }
  }

  private static ServerOptions options() {
    return ServersForTest.options(ANY_PORT, LOCAL);
  }
}
