package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.await;
import static dev.tributary.cluster.internal.worker.TestCluster.code;
import static dev.tributary.cluster.internal.worker.TestCluster.cpu;
import static dev.tributary.cluster.internal.worker.TestCluster.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a worker promises to those that ask it for values, however it is reached. */
abstract class RecvTensorContract extends TwoWorkers {
  @Test
  void recvTensor_beforeTheStep_isParkedAndTakesOneValue() {
    String from = cluster.register(0, SESSION, sending(partition -> {}));
    CompletableFuture<ReceivedTensor> first = GraphCall.recvTensor(sender, 1, EDGE);
    assertThat(first).isNotDone();
    try (Tensor x = Tensor.scalar(3L)) {
      await(sendCall(from, 1, x).start());
    }
    try (Tensor value = await(first).value().orElseThrow()) {
      assertThat(value.longValue()).isEqualTo(3);
    }

    CompletableFuture<ReceivedTensor> second = waitingFor(EDGE);
    await(sender.cleanupGraph(1, DEFAULTS));

    assertThat(failure(second))
        .hasMessageContaining("Cleanup 1")
        .matches(e -> e.code() == ErrorCode.ABORTED);
  }

  @Test
  void recvTensor_badRequests_areRefused() {
    String wrongLife = new Partition.End(cpu(0).device(), 99).key(cpu(1), "edge");
    String wrongDevice =
        new Partition.End("/job:worker/replica:0/task:0/device:CPU:7", 1).key(cpu(1), "edge");

    assertThat(failure(GraphCall.recvTensor(sender, 1, "a;b")))
        .hasMessageContaining("Invalid  rendezvous key: a;b")
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
    assertThat(code(GraphCall.recvTensor(sender, 1, wrongDevice)))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(code(GraphCall.recvTensor(sender, 1, "x;1;y;edge;0:0")))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(failure(GraphCall.recvTensor(sender, 1, wrongLife)))
        .hasMessageContaining("RecvTensor expects a different device incarnation: 99 vs. ")
        .matches(e -> e.code() == ErrorCode.ABORTED);
  }

  @Test
  void recvTensor_keyOfAnotherTask_isInvalidOnceTheSessionIsKnown() {
    String from = cluster.register(0, SESSION, sending(partition -> {}));
    String otherTask =
        new Partition.End("/job:x/replica:0/task:0/device:CPU:0", cpu(0).incarnation())
            .key(cpu(1), "edge");
    CompletableFuture<ReceivedTensor> parked = GraphCall.recvTensor(sender, 1, otherTask);
    assertThat(parked).isNotDone();
    try (Tensor x = Tensor.scalar(3L)) {
      await(sendCall(from, 1, x).start());
    }

    assertThat(code(parked)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(code(GraphCall.recvTensor(sender, 1, otherTask)))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void recvTensor_requestTwice_isAborted() {
    RecvTensorRequest request = new RecvTensorRequest(1, RendezvousKey.of(EDGE), 77);
    CompletableFuture<ReceivedTensor> first = sender.recvTensor(request, DEFAULTS);
    cluster.awaitSteps(0, 1);

    assertThat(code(sender.recvTensor(request, DEFAULTS))).isEqualTo(ErrorCode.ABORTED);
    await(sender.cleanupGraph(1, DEFAULTS));
    assertThat(code(first)).isEqualTo(ErrorCode.ABORTED);
  }

  @Test
  void recvTensor_cancelled_endsAndAbortsTheStep() {
    Cancellation cancellation = new Cancellation();
    CompletableFuture<ReceivedTensor> cancelled =
        sender.recvTensor(
            new RecvTensorRequest(1, RendezvousKey.of(EDGE), 5),
            CallOptions.cancelledBy(cancellation));
    cluster.awaitSteps(0, 1);
    CompletableFuture<ReceivedTensor> other = waitingFor(EDGE);

    cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "changed my mind"));

    assertThat(code(cancelled)).isEqualTo(ErrorCode.CANCELLED);
    assertThat(failure(other)).matches(TributaryException::derived);
  }

  @Test
  void deleteWorkerSession_stepLeftBehind_isAborted() {
    String from = cluster.register(0, SESSION, sending(partition -> {}));
    try (Tensor x = Tensor.scalar(1L)) {
      await(sendCall(from, 1, x).start());
    }
    CompletableFuture<ReceivedTensor> waiting = waitingFor(cpu(0).key(cpu(1), "never"));

    await(sender.deleteWorkerSession(SESSION, DEFAULTS));

    assertThat(code(waiting)).isEqualTo(ErrorCode.ABORTED);
  }
}
