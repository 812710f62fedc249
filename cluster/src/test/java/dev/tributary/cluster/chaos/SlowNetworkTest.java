package dev.tributary.cluster.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.server.TimeLimits;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A network that takes longer for one large tensor than a task may be silent. */
@Timeout(120)
class SlowNetworkTest {
  private static final Duration SILENCE = Duration.ofSeconds(1);
  private static final Duration DELAY = Duration.ofMillis(10);
  private static final int ELEMENTS = 6 << 20;
  private static final TaskName PS = new TaskName("ps", 0);
  private static final TaskName WORKER = new TaskName("worker", 0);

  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void transfer_longerThanTheSilenceLimit_isNotTakenForSilence() throws Exception {
    List<String> own = FreePorts.addresses(2);
    Ops worker = tf.withDevice(WORKER.toString());
    Ops ps = tf.withDevice(PS.toString());
    Output large = worker.fill(worker.constant(ELEMENTS), worker.constant(3f));
    Output last = ps.slice(large, new int[] {ELEMENTS - 1}, new int[] {1});
    try (ChaosProxy slow = new ChaosProxy(port(own.get(0)))) {
      ClusterSpec real = cluster(own.get(0), own.get(1));
      ClusterSpec behindProxy = cluster("localhost:" + slow.port(), own.get(1));
      try (Server psServer = server(real, PS);
          Server workerServer = server(behindProxy, WORKER);
          Session session = Session.open(workerServer.target(), tf.graph())) {
        slow.delay(DELAY);

        try (StepResult result = session.runner().fetch(last).run()) {
          assertThat(result.get(0).toFloats()).containsExactly(3f);
        }
      }
    }
  }

  private static Server server(ClusterSpec cluster, TaskName task) {
    return Server.start(
        ServersForTest.options(cluster, task)
            .withTimes(TimeLimits.defaults().withSilence(SILENCE))
            .withFastPaths(FastPaths.PUSHED));
  }

  private static ClusterSpec cluster(String ps, String worker) {
    return ClusterSpec.of(Map.of("ps", List.of(ps), "worker", List.of(worker)));
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
