package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.code;
import static dev.tributary.cluster.internal.worker.TestCluster.cpu;
import static dev.tributary.cluster.internal.worker.TestCluster.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.tensor.DataType;
import dev.tributary.testing.NoLeaks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to those who wait for a worker that closes. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WorkerCloseTest {
  private final TestCluster cluster = new TestCluster(2, 1, Connector.inProcess());

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void close_runningStep_endsItAndItsPeers() throws InterruptedException {
    cluster.createSession("s");
    Partition waiting = cluster.partition(0);
    waiting.sent("edge", waiting.op("TestWait", waiting.tf.constant(1L)), cpu(1));
    String from = cluster.register(0, "s", waiting);
    Partition partition = cluster.partition(1);
    partition.fetched("y", partition.received("edge", DataType.INT64, cpu(0)));
    String to = cluster.register(1, "s", partition);
    CompletableFuture<RunGraphResponse> sent =
        GraphCall.runGraph(cluster.worker(0), "s", from, 1).start();
    CompletableFuture<RunGraphResponse> received =
        GraphCall.runGraph(cluster.worker(1), "s", to, 1).fetch(cpu(1).clientKey("y")).start();
    cluster.tiny.gate.next();

    cluster.worker(0).close();

    assertThat(failure(sent))
        .hasMessageContaining("worker /job:worker/replica:0/task:0 is shut down")
        .matches(e -> e.code() == ErrorCode.UNAVAILABLE);
    assertThat(failure(received))
        .hasMessageContaining("from /job:worker/replica:0/task:0")
        .matches(e -> e.code() == ErrorCode.UNAVAILABLE);
  }

  @Test
  void close_parkedRequest_isAnswered() {
    CompletableFuture<ReceivedTensor> parked =
        GraphCall.recvTensor(cluster.worker(0), 1, cpu(0).key(cpu(1), "edge"));

    cluster.worker(0).close();

    assertThat(code(parked)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(cluster.worker(0).stepCount()).isZero();
  }

  @Test
  void calls_afterClose_areUnavailable() {
    cluster.worker(0).close();

    assertThat(code(cluster.worker(0).getStatus(CallOptions.defaults())))
        .isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(
            code(
                cluster
                    .worker(0)
                    .createWorkerSession(TestCluster.session("s", false), CallOptions.defaults())))
        .isEqualTo(ErrorCode.UNAVAILABLE);
    cluster.worker(0).close();
  }
}
