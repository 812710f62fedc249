package dev.tributary.cluster.worker;

import static dev.tributary.cluster.worker.TestCluster.await;
import static dev.tributary.cluster.worker.TestCluster.code;
import static dev.tributary.cluster.worker.TestCluster.cpu;
import static dev.tributary.cluster.worker.TestCluster.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.LoggingRequest;
import dev.tributary.cluster.protocol.ReceivedTensor;
import dev.tributary.cluster.protocol.RecvTensorRequest;
import dev.tributary.cluster.protocol.RunGraphResponse;
import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.kernel.Cancellation;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.StepStats;

/** What workers promise about values that go from one to another, however they are reached. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class TransferContract {
  private static final String SESSION = "s";
  private static final CallOptions DEFAULTS = CallOptions.defaults();
  private static final String EDGE = cpu(0).key(cpu(1), "edge");

  private TestCluster cluster;
  private WorkerInterface sender;
  private WorkerInterface receiver;

  /** How the workers are reached, by tests and by each other. */
  abstract Connector connector();

  @BeforeEach
  void start() {
    cluster = new TestCluster(2, 1, connector());
    cluster.createSession(SESSION);
    sender = cluster.remote(0);
    receiver = cluster.remote(1);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

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
    RecvTensorRequest request = new RecvTensorRequest(1, EDGE, 77);
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
        sender.recvTensor(new RecvTensorRequest(1, EDGE, 5), CallOptions.cancelledBy(cancellation));
    cluster.awaitSteps(0, 1);
    CompletableFuture<ReceivedTensor> other = waitingFor(EDGE);

    cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "changed my mind"));

    assertThat(code(cancelled)).isEqualTo(ErrorCode.CANCELLED);
    assertThat(failure(other)).matches(TributaryException::derived);
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
    Output no = partition.tf.constant(Tensor.scalar(false));
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
    String from =
        cluster.register(
            0, SESSION, sending(p -> p.op("TestWait", p.tf.constant(Tensor.scalar(1L)))));
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
  void deleteWorkerSession_stepLeftBehind_isAborted() {
    String from = cluster.register(0, SESSION, sending(partition -> {}));
    try (Tensor x = Tensor.scalar(1L)) {
      await(sendCall(from, 1, x).start());
    }
    CompletableFuture<ReceivedTensor> waiting = waitingFor(cpu(0).key(cpu(1), "never"));

    await(sender.deleteWorkerSession(SESSION, DEFAULTS));

    assertThat(code(waiting)).isEqualTo(ErrorCode.ABORTED);
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

  /** A request of step 1 that has arrived when this returns, as no wire is between. */
  private CompletableFuture<ReceivedTensor> waitingFor(String key) {
    return GraphCall.recvTensor(cluster.worker(0), 1, key);
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

  private interface More {
    void addTo(Partition partition);
  }

  /** Sends what it is fed to the other worker. */
  private Partition sending(More more) {
    Partition partition = cluster.partition(0);
    partition.sent("edge", partition.fed("x", DataType.INT64), cpu(1));
    more.addTo(partition);
    return partition;
  }

  /** Receives a number and gives its double. */
  private Partition receiving() {
    Partition partition = cluster.partition(1);
    Output value = partition.received("edge", DataType.INT64, cpu(0));
    partition.fetched("y", partition.op("TestAdd", value, value));
    return partition;
  }

  private GraphCall sendCall(String graph, long step, Tensor x) {
    return GraphCall.runGraph(sender, SESSION, graph, step).feed(cpu(0).clientKey("x"), x);
  }

  private GraphCall receiveCall(String graph, long step) {
    return GraphCall.runGraph(receiver, SESSION, graph, step).fetch(cpu(1).clientKey("y"));
  }
}
