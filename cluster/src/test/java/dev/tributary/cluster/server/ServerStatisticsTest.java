package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters of servers, whichever way tensors travel. */
@NoLeaks
@Timeout(120)
class ServerStatisticsTest {
  private static final int ELEMENTS = 1000;
  private static final long BYTES = 4L * ELEMENTS;
  private static final TaskName PS = new TaskName("ps", 0);
  private static final TaskName WORKER = new TaskName("worker", 0);

  private final Ops tf = Ops.create();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @ParameterizedTest
  @EnumSource(FastPaths.class)
  void statistics_afterSteps_countThemTheirBytesAndFailures(FastPaths paths) {
    Output x = tf.withDevice("/job:ps").placeholder(DataType.FLOAT, Shape.of(ELEMENTS));
    Output sent = tf.withDevice("/job:ps").identity(x);
    Output sum = tf.withDevice("/job:worker").sum(tf.withDevice("/job:worker").neg(sent));
    try (ServersForTest servers =
        ServersForTest.start(
            Map.of("ps", 1, "worker", 1), options -> options.withFastPaths(paths))) {
      try (Session session = Session.open(servers.target("worker", 0), tf.graph())) {
        for (int step = 0; step < 3; step++) {
          session.fetch(sum, Feeds.of(x, new float[ELEMENTS]));
        }
        assertThatThrownBy(() -> session.fetch(sum)).isInstanceOf(TributaryException.class);

        ServerStatistics worker = servers.server("worker", 0).statistics();
        assertThat(worker.sessions()).isEqualTo(1);
        assertThat(worker.steps().count()).isEqualTo(4);
        assertThat(worker.steps().total()).isPositive();
        assertThat(worker.failures()).containsKey(ErrorCode.INVALID_ARGUMENT);
        assertThat(worker.memoryUsed()).isNotNegative().isLessThan(worker.memoryLimit());
      }
      assertBytes(servers, "ps", ServerStatistics::bytesSent, WORKER);
      assertBytes(servers, "worker", ServerStatistics::bytesReceived, PS);
      ServerStatistics ps = servers.server("ps", 0).statistics();
      assertThat(ps.steps().count()).isZero();
      assertThat(ps.runs().count()).isGreaterThanOrEqualTo(3);
      assertThat(servers.server("worker", 0).statistics().sessions()).isZero();
    }
  }

  private static void assertBytes(
      ServersForTest servers,
      String job,
      Function<ServerStatistics, Map<TaskName, Long>> direction,
      TaskName peer) {
    assertThat(direction.apply(servers.server(job, 0).statistics())).containsEntry(peer, 3 * BYTES);
  }
}
