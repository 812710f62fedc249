package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.TestCluster.Task;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tasks of our cluster die and come back: clients get an error in time, and a new session works.
 */
@RequiresStockTensorFlow
@Timeout(120)
class ClusterFaultTest {
  private static final Set<ErrorCode> PREEMPTED =
      EnumSet.of(ErrorCode.UNAVAILABLE, ErrorCode.ABORTED);

  @ParameterizedTest
  @EnumSource
  void step_afterPsDied_failsAndNewSessionWorks(ClusterClient.Kind kind) throws Exception {
    try (TestCluster cluster = Mix.ALL_OURS.start()) {
      try (ClusterClient client =
          kind.open(ClusterGraphs.counter("c"), cluster.target(Task.WORKER_0))) {
        client.runTarget("init");
        cluster.kill(Task.PS);
        assertThat(codeOfRead(client)).isIn(PREEMPTED);
        cluster.restart(Task.PS);
        assertThat(codeOfRead(client)).as("the new process knows no old session").isIn(PREEMPTED);
      }
      try (ClusterClient client =
          kind.open(ClusterGraphs.counter("c"), cluster.target(Task.WORKER_0))) {
        client.runTarget("init");
        client.runTarget("increment");
        assertThat(client.runScalar("read:0")).isEqualTo(1f);
      }
    }
  }

  private static ErrorCode codeOfRead(ClusterClient client) {
    RuntimeException failure =
        catchThrowableOfType(RuntimeException.class, () -> client.runScalar("read:0"));
    return client.codeOf(failure);
  }
}
