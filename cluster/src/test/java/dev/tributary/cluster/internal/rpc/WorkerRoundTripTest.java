package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionResponse;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.LoggingRequest;
import dev.tributary.cluster.internal.protocol.LoggingResponse;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RegisterGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.TracingRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.DeviceStepStats;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.GraphOptions;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.ServerDef;
import org.tensorflow.proto.StepStats;

/** Every procedure of a worker, through a real server. */
@NoLeaks
class WorkerRoundTripTest {
  private static final CallOptions OPTIONS = CallOptions.defaults();
  private static final GraphDef GRAPH =
      GraphDef.newBuilder().addNode(NodeDef.newBuilder().setName("x").setOp("NoOp")).build();
  private static final DeviceAttributes CPU =
      DeviceAttributes.newBuilder().setName("d").setIncarnation(-3).build();
  private static final StepStats STATS =
      StepStats.newBuilder().addDevStats(DeviceStepStats.newBuilder().setDevice("d")).build();

  private final Recording<WorkerInterface> recording = Recording.of(WorkerInterface.class);
  private final GrpcLoop loop = GrpcLoop.around(recording.target());
  private final WorkerInterface worker = loop.worker();

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void getStatus_roundTrip_isTheSame() throws Exception {
    answer(List.of(CPU));

    assertThat(get(worker.getStatus(OPTIONS))).containsExactly(CPU);
  }

  @Test
  void createWorkerSession_roundTrip_isTheSame() throws Exception {
    CreateWorkerSessionRequest request =
        new CreateWorkerSessionRequest(
            "s",
            ServerDef.newBuilder().setJobName("ps").build(),
            true,
            List.of(CPU),
            "/job:a/replica:0/task:0",
            -9);

    answer(new CreateWorkerSessionResponse(true));

    assertThat(get(worker.createWorkerSession(request, OPTIONS)).pushesTensors()).isTrue();
    assertThat(recording.next().arguments()).containsExactly(request);
  }

  @Test
  void deleteWorkerSession_roundTrip_isTheSame() throws Exception {
    get(worker.deleteWorkerSession("s", OPTIONS));

    assertThat(recording.next().arguments()).containsExactly("s");
  }

  @Test
  void registerGraph_roundTrip_isTheSame() throws Exception {
    ConfigProto config =
        ConfigProto.newBuilder()
            .setAllowSoftPlacement(true)
            .setGraphOptions(GraphOptions.newBuilder().setInferShapes(true))
            .build();
    RegisterGraphRequest request = new RegisterGraphRequest("s", true, GRAPH, config, 4);
    answer("0000000000000001");

    assertThat(get(worker.registerGraph(request, OPTIONS))).isEqualTo("0000000000000001");
    assertThat(recording.next().arguments()).containsExactly(request);
  }

  @Test
  void deregisterGraph_roundTrip_isTheSame() throws Exception {
    get(worker.deregisterGraph("s", "g", OPTIONS));
    get(worker.deregisterGraph("", "h", OPTIONS));

    assertThat(recording.next().arguments()).containsExactly("s", "g");
    assertThat(recording.next().arguments()).containsExactly("", "h");
  }

  @ParameterizedTest
  @EnumSource(Piece.class)
  void runGraph_roundTrip_isTheSame(Piece partialRun) throws Exception {
    ExecutorOptions record = new ExecutorOptions(true, false, true);
    recording.answering(
        call -> {
          RunGraphRequest request = (RunGraphRequest) call.arguments().get(0);
          assertThat(request.sessionHandle()).isEqualTo("s");
          assertThat(request.createWorkerSessionCalled()).isTrue();
          assertThat(request.graphHandle()).isEqualTo("g");
          assertThat(request.stepId()).isEqualTo(11);
          assertThat(request.recvKeys()).containsExactly(RendezvousKey.of("k2"));
          assertThat(request.executorOptions()).isEqualTo(record);
          assertThat(request.partialRun()).isEqualTo(partialRun);
          assertThat(request.pushesTensors()).isTrue();
          assertThat(request.requestId()).isEqualTo(13);
          Tensor fed = request.send().get(0).tensor();
          return CompletableFuture.completedFuture(
              new RunGraphResponse(
                  List.of(new KeyedTensor(RendezvousKey.of("k2"), fed.retain())),
                  STATS,
                  List.of(GRAPH)));
        });
    try (Tensor x = Tensor.of(true, false, true)) {
      RunGraphResponse response =
          get(
              worker.runGraph(
                  new RunGraphRequest(
                      "s",
                      true,
                      "g",
                      11,
                      List.of(new KeyedTensor(RendezvousKey.of("k1"), x)),
                      List.of(RendezvousKey.of("k2")),
                      record,
                      partialRun,
                      true,
                      13),
                  OPTIONS));

      assertThat(response.stepStats()).isEqualTo(STATS);
      assertThat(response.partitionGraphs()).containsExactly(GRAPH);
      assertThat(response.received().get(0).key()).hasToString("k2");
      assertThat(response.received().get(0).tensor().toBooleans())
          .containsExactly(true, false, true);
      response.received().get(0).tensor().close();
    }
  }

  @ParameterizedTest
  @EnumSource(value = ErrorCode.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
  void runGraph_everyCode_survives(ErrorCode code) {
    fail(new TributaryException(code, "step 11 failed"));

    TributaryException error = error(worker.runGraph(emptyStep(), OPTIONS));

    assertThat(error.code()).isEqualTo(code);
    assertThat(error).hasMessage("step 11 failed");
    assertThat(error.derived()).isFalse();
  }

  @Test
  void runGraph_derivedError_staysDerived() {
    fail(TributaryException.derived(ErrorCode.ABORTED, "the step was ended", null));

    TributaryException error = error(worker.runGraph(emptyStep(), OPTIONS));

    assertThat(error.code()).isEqualTo(ErrorCode.ABORTED);
    assertThat(error.derived()).isTrue();
  }

  @Test
  void recvTensor_derivedError_staysDerived() {
    fail(TributaryException.derived(ErrorCode.ABORTED, "the step was ended", null));

    assertThat(error(worker.recvTensor(key(), OPTIONS)).derived()).isTrue();
  }

  @Test
  void recvTensor_cancelledAtTheWorker_isDerived() {
    fail(new TributaryException(ErrorCode.CANCELLED, "no more"));

    TributaryException error = error(worker.recvTensor(key(), OPTIONS));

    assertThat(error.code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(error.derived()).isTrue();
  }

  @Test
  void cleanupGraph_roundTrip_isTheSame() throws Exception {
    get(worker.cleanupGraph(Long.MIN_VALUE, OPTIONS));

    assertThat(recording.next().arguments()).containsExactly(Long.MIN_VALUE);
  }

  @Test
  void cleanupAll_roundTrip_isTheSame() throws Exception {
    get(worker.cleanupAll(List.of("a", "b"), OPTIONS));

    assertThat(recording.next().arguments()).containsExactly(List.of("a", "b"));
  }

  @Test
  void recvTensor_roundTrip_isTheSame() throws Exception {
    answer(new ReceivedTensor(Optional.of(Tensor.of("x", "yz")), true));

    ReceivedTensor got = get(worker.recvTensor(key(), OPTIONS));

    assertThat(got.requireAck()).isTrue();
    try (Tensor value = got.value().orElseThrow()) {
      assertThat(value.toStrings()).containsExactly("x", "yz");
    }
    assertThat(recording.next().arguments()).containsExactly(key());
  }

  @Test
  void recvTensor_dead_isDead() throws Exception {
    answer(new ReceivedTensor(Optional.empty(), false));

    assertThat(get(worker.recvTensor(key(), OPTIONS)).value()).isEmpty();
  }

  @Test
  void recvTensor_64MiB_isTheSame() throws Exception {
    long seed = 4;
    Random random = new Random(seed);
    try (Tensor big = Tensor.allocate(DataType.INT64, Shape.of(8, 1 << 20))) {
      for (long i = 0; i < big.elementCount(); i++) {
        Memory.putLong(big.storage().address() + 8 * i, random.nextLong());
      }
      recording.answering(
          call ->
              CompletableFuture.completedFuture(
                  new ReceivedTensor(Optional.of(big.retain()), false)));
      for (int i = 0; i < 3; i++) {
        try (Tensor got = get(worker.recvTensor(key(), OPTIONS)).value().orElseThrow()) {
          assertThat(got.shape()).isEqualTo(big.shape());
          assertThat(
                  Memory.bytes(got.storage().address(), (int) got.byteSize())
                      .mismatch(Memory.bytes(big.storage().address(), (int) big.byteSize())))
              .as("seed %d", seed)
              .isEqualTo(-1);
        }
      }
    }
  }

  @Test
  void markRecvFinished_roundTrip_isTheSame() throws Exception {
    get(worker.markRecvFinished(17, OPTIONS));

    assertThat(recording.next().arguments()).containsExactly(17L);
  }

  @Test
  void logging_roundTrip_isTheSame() throws Exception {
    LoggingRequest request = new LoggingRequest(true, false, true, List.of(1L, 2L));
    LoggingResponse response = new LoggingResponse(Map.of(1L, STATS));
    answer(response);

    assertThat(get(worker.logging(request, OPTIONS))).isEqualTo(response);
    assertThat(recording.next().arguments()).containsExactly(request);
  }

  @Test
  void tracing_roundTrip_isTheSame() throws Exception {
    get(worker.tracing(new TracingRequest(1.5), OPTIONS));

    assertThat(recording.next().arguments()).containsExactly(new TracingRequest(1.5));
  }

  private static RecvTensorRequest key() {
    return new RecvTensorRequest(11, RendezvousKey.of("a;01;b;edge_1_x;0:0"), 12);
  }

  private static RunGraphRequest emptyStep() {
    return new RunGraphRequest(
        "s", true, "g", 11, List.of(), List.of(), ExecutorOptions.none(), Piece.NONE, false, 1);
  }

  private void answer(Object response) {
    recording.answering(call -> CompletableFuture.completedFuture(response));
  }

  private void fail(TributaryException error) {
    recording.answering(call -> CompletableFuture.failedFuture(error));
  }

  private static TributaryException error(CompletableFuture<?> future) {
    return (TributaryException)
        catchThrowableOfType(ExecutionException.class, () -> get(future)).getCause();
  }

  private static <R> R get(CompletableFuture<R> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }
}
