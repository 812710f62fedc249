package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.await;
import static dev.tributary.cluster.internal.worker.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.error.ErrorCode;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.ServerDef;

/** Sessions on a worker whose masters do not come back. Tasks 1 and 2 are masters. */
@NoLeaks
@Timeout(60)
class OrphanedSessionsTest {
  private static final Duration LEASE = Duration.ofMillis(400);
  private static final Duration IDLE = Duration.ofHours(1);

  @Test
  void session_masterStops_endsAfterTheLeaseAndNotWhileTheMasterIsIdle() {
    try (TestCluster cluster = cluster(LEASE, IDLE)) {
      open(cluster, "of this life", 1, cpu(1).incarnation());
      open(cluster, "of an earlier life", 2, cpu(2).incarnation() + 1);
      open(cluster, "of a stranger", 7, 1);

      awaitSessions(cluster, 2);
      // More looks, in each of which the master answers.
      long start = System.nanoTime();
      while (System.nanoTime() - start < 3 * LEASE.toNanos()) {
        assertThat(cluster.worker(0).sessionCount()).isEqualTo(2);
        LockSupport.parkNanos(10_000_000);
      }
      cluster.worker(1).close();

      awaitSessions(cluster, 1);
      assertThat(
              TestCluster.code(cluster.register(0, "of this life", GraphDef.getDefaultInstance())))
          .isEqualTo(ErrorCode.ABORTED);
    }
  }

  @Test
  void session_masterCannotBeAsked_endsAfterTheIdleLimit() {
    try (TestCluster cluster = cluster(LEASE, LEASE)) {
      open(cluster, "of a stranger", 7, 1);
      await(
          cluster
              .remote(0)
              .createWorkerSession(TestCluster.session("of nobody", true), CallOptions.defaults()));

      awaitSessions(cluster, 0);
    }
  }

  private static TestCluster cluster(Duration lease, Duration idle) {
    return new TestCluster(
        3, 1, Connector.inProcess(), options -> options.withSessionLimits(lease, idle));
  }

  private static void open(TestCluster cluster, String handle, int master, long incarnation) {
    await(
        cluster
            .remote(0)
            .createWorkerSession(
                new CreateWorkerSessionRequest(
                    handle,
                    ServerDef.getDefaultInstance(),
                    false,
                    List.of(),
                    TestCluster.task(master).toString(),
                    incarnation),
                CallOptions.defaults()));
  }

  private static void awaitSessions(TestCluster cluster, int count) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (cluster.worker(0).sessionCount() != count) {
      assertThat(System.nanoTime())
          .as("%d sessions", cluster.worker(0).sessionCount())
          .isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
