package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The times of waits that nothing else ends. */
@NoLeaks
@Timeout(60)
class TimeLimitsTest {
  private static final Map<String, Integer> PS_AND_WORKER = Map.of("ps", 1, "worker", 1);

  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void step_clientSaysNothing_hasTheSessionsLimit() {
    Output endless = endlessOn("/job:worker/task:0");
    try (ServersForTest servers = ServersForTest.start(PS_AND_WORKER);
        Session session =
            Session.open(
                servers.target("worker", 0),
                tf.graph(),
                SessionOptions.defaults()
                    .withCluster(
                        ClusterOptions.defaults().withStepTimeout(Duration.ofSeconds(1))))) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> session.runner().fetch(endless).run())
          .matches(e -> e.code() == ErrorCode.DEADLINE_EXCEEDED)
          .withMessageContaining("not finished: [/job:worker/replica:0/task:0");
    }
  }

  @Test
  void transfer_valueDoesNotCome_namesNodeKeyAndTask() {
    Output slow = endlessOn("/job:ps/task:0");
    Output waits = tf.withDevice("/job:worker/task:0").neg(slow);
    try (ServersForTest servers =
            ServersForTest.start(
                PS_AND_WORKER, times(times -> times.withTransfer(Duration.ofSeconds(1))));
        Session session = Session.open(servers.target("worker", 0), tf.graph())) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> session.runner().fetch(waits).run())
          .matches(e -> e.code() == ErrorCode.DEADLINE_EXCEEDED)
          .withMessageContaining("from /job:ps/replica:0/task:0 (key /job:ps/")
          .withMessageContaining("no value within 1 s");
    }
  }

  @Test
  void complete_lastWorker_stopsAParameterServerThatWaitsForIt() throws Exception {
    try (ServersForTest servers = ServersForTest.start(Map.of("ps", 1, "worker", 2))) {
      Server ps = servers.server("ps", 0);
      ps.stopWhenOthersAreDone();

      servers.server("worker", 0).complete();
      assertThat(ps.join(Duration.ofMillis(300))).isFalse();
      servers.server("worker", 1).complete();

      assertThat(ps.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  @Test
  void stopWhenDone_aWorkerThatIsGone_isWaitedForAWhileOnly() throws Exception {
    Map<String, Integer> jobs = Map.of("chief", 1, "ps", 1, "worker", 1);
    try (ServersForTest servers = ServersForTest.start(jobs)) {
      Server ps = servers.server("ps", 0);
      ps.stopWhenDone("chief", Duration.ofMillis(100));

      assertThat(ps.join(Duration.ofMillis(300))).isFalse();
      servers.server("chief", 0).complete();

      assertThat(ps.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  private static UnaryOperator<ServerOptions> times(UnaryOperator<TimeLimits> change) {
    return options -> options.withTimes(change.apply(options.times()));
  }

  private Output endlessOn(String device) {
    Ops there = tf.withDevice(device);
    return there
        .flow
        .whileLoop(
            List.of(there.constant(0f)),
            (scope, vars) -> scope.less(vars.get(0), scope.constant(1f)),
            (scope, vars) -> List.of(scope.mul(vars.get(0), scope.constant(0.5f))))
        .get(0);
  }
}
