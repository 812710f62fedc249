package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.await;
import static dev.tributary.cluster.internal.worker.TestCluster.code;
import static dev.tributary.cluster.internal.worker.TestCluster.cpu;
import static dev.tributary.cluster.internal.worker.TestCluster.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.LoggingRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.StepStats;

/** What workers promise about values that go from one to another, however they are reached. */
abstract class TransferContract extends TwoWorkers {
  @Test
  void step_onTwoWorkers_passesTheValueOn() {
    String from = cluster.register(0, SESSION, sending(partition -> {}));
    String to = cluster.register(1, SESSION, receiving());
    try (Tensor x = Tensor.scalar(20L)) {
      CompletableFuture<RunGraphResponse> sent = sendCall(from, 1, x).start();

      assertThat(receiveCall(to, 1).runLong()).isEqualTo(40);
      await(sent);
    }
  }

  @Test
  void step_receiverFirst_waitsForTheSender() {
    String from = cluster.register(0, SESSION, sending(partition -> {}));
    String to = cluster.register(1, SESSION, receiving());
    CompletableFuture<RunGraphResponse> received = receiveCall(to, 1).start();
    try (Tensor x = Tensor.scalar(20L)) {
      await(sendCall(from, 1, x).start());
    }

    try (Tensor y = await(received).received().get(0).tensor()) {
      assertThat(y.longValue()).isEqualTo(40);
    }
  }

  @Test
  void step_failingSender_failsTheReceiverWithADerivedError() {
    Partition failing = cluster.partition(0);
    Output x = failing.fed("x", DataType.INT64);
    failing.sent("edge", failing.op("TestFail", x), cpu(1));
    String from = cluster.register(0, SESSION, failing);
    String to = cluster.register(1, SESSION, receiving());
    CompletableFuture<RunGraphResponse> received = receiveCall(to, 1).start();
    try (Tensor value = Tensor.scalar(1L)) {
      assertThat(failure(sendCall(from, 1, value).start()))
          .hasMessageContaining("broken on purpose")
          .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT && !e.derived());
    }

    assertThat(failure(received))
        .hasMessageContaining("/job:worker/replica:0/task:0")
        .matches(e -> e.code() == ErrorCode.ABORTED && e.derived());
  }

  @Test
  void step_deadValue_goesThrough() {
    Partition partition = cluster.partition(0);
    Output x = partition.fed("x", DataType.INT64);
    Output no = partition.tf.constant(false);
    var branch = partition.tf.scope().operation("TestSwitch").input(x).input(no).build();
    partition.sent("edge", branch.output(1), cpu(1));
    String from = cluster.register(0, SESSION, partition);
    String to = cluster.register(1, SESSION, receiving());
    CompletableFuture<RunGraphResponse> received = receiveCall(to, 1).start();
    try (Tensor value = Tensor.scalar(1L)) {
      await(sendCall(from, 1, value).start());
    }

    assertThat(failure(received))
        .hasMessageContaining("was not valid")
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void runGraph_cancelled_endsAtOnceAndAbortsPeersLater() throws InterruptedException {
    String from = cluster.register(0, SESSION, sending(p -> p.op("TestWait", p.tf.constant(1L))));
    Cancellation cancellation = new Cancellation();
    CompletableFuture<ReceivedTensor> other = waitingFor(cpu(0).key(cpu(1), "never"));
    try (Tensor x = Tensor.scalar(1L)) {
      CompletableFuture<RunGraphResponse> run =
          sendCall(from, 1, x).cancelledBy(cancellation).start();
      cluster.tiny.gate.next();

      cancellation.cancel(new TributaryException(ErrorCode.ABORTED, "another task failed"));

      assertThat(failure(run)).matches(e -> e.code() == ErrorCode.CANCELLED && e.derived());
    }
    assertThat(failure(other)).matches(e -> e.code() == ErrorCode.ABORTED && e.derived());
  }

  @Test
  void runGraph_unknownSenderTask_isInternal() {
    Partition partition = cluster.partition(1);
    partition.fetched(
        "y",
        partition.received(
            "edge",
            DataType.INT64,
            new Partition.End("/job:nobody/replica:0/task:3/device:CPU:0", 1)));
    String to = cluster.register(1, SESSION, partition);

    assertThat(failure(receiveCall(to, 1).start()))
        .hasMessageContaining("No worker known as /job:nobody/replica:0/task:3")
        .matches(e -> e.code() == ErrorCode.INTERNAL);
  }

  @Test
  void runGraph_senderRestarted_isAborted() {
    Partition partition = cluster.partition(1);
    Partition.End earlierLife = new Partition.End(cpu(0).device(), 12345);
    partition.fetched("y", partition.received("edge", DataType.INT64, earlierLife));
    String to = cluster.register(1, SESSION, partition);

    assertThat(failure(receiveCall(to, 1).start()))
        .hasMessageContaining("different device incarnation")
        .hasMessageContaining("/job:worker/replica:0/task:0")
        .matches(e -> e.code() == ErrorCode.ABORTED);
  }

  @Test
  void runGraph_valueOfAnotherType_isInternal() {
    Partition partition = cluster.partition(0);
    partition.sent("edge", partition.tf.constant(1f), cpu(1));
    String from = cluster.register(0, SESSION, partition);
    String to = cluster.register(1, SESSION, receiving());
    await(GraphCall.runGraph(sender, SESSION, from, 1).start());

    assertThat(code(receiveCall(to, 1).start())).isEqualTo(ErrorCode.INTERNAL);
  }

  @Test
  void logging_enabled_tellsTransfersOfAStep() {
    String from = cluster.register(0, SESSION, sending(partition -> {}));
    String to = cluster.register(1, SESSION, receiving());
    await(receiver.logging(new LoggingRequest(true, false, false, List.of()), DEFAULTS));
    try (Tensor x = Tensor.scalar(20L)) {
      await(sendCall(from, 1, x).start());
      assertThat(receiveCall(to, 1).runLong()).isEqualTo(40);
    }

    StepStats told = transfersOf(1, false);

    assertThat(told.getDevStats(0).getDevice()).isEqualTo(cpu(1).device());
    assertThat(told.getDevStats(0).getNodeStats(0).getNodeName()).isEqualTo("RecvTensor");
    assertThat(told.getDevStats(0).getNodeStats(0).getTimelineLabel())
        .isEqualTo("[8B] edge from " + cpu(0).device() + " to " + cpu(1).device());
    assertThat(transfersOf(1, true).getDevStatsList()).isEmpty();
  }

  @Test
  void steps_aThousandFromEightThreads_allGetTheirValues() {
    String from = cluster.register(0, SESSION, sending(partition -> {}));
    String to = cluster.register(1, SESSION, receiving());
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      int thread = t;
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 125; i++) {
                  runBoth(from, to, 1000L * thread + i + 1);
                }
              },
              task -> new Thread(task, "client-" + thread).start()));
    }
    threads.forEach(TestCluster::await);

    assertThat(cluster.worker(0).stepCount()).isZero();
    assertThat(cluster.worker(1).stepCount()).isZero();
  }

  private StepStats transfersOf(long step, boolean clearFirst) {
    LoggingRequest request = new LoggingRequest(false, true, clearFirst, List.of(step));
    return await(receiver.logging(request, DEFAULTS)).steps().get(step);
  }

  private void runBoth(String from, String to, long step) {
    try (Tensor x = Tensor.scalar(step)) {
      CompletableFuture<RunGraphResponse> sent = sendCall(from, step, x).start();
      assertThat(receiveCall(to, step).runLong()).isEqualTo(2 * step);
      await(sent);
    }
    await(sender.cleanupGraph(step, DEFAULTS));
    await(receiver.cleanupGraph(step, DEFAULTS));
  }
}
