package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateSessionResponse;
import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.ListDevicesResponse;
import dev.tributary.cluster.internal.protocol.MakeCallableRequest;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.ResetRequest;
import dev.tributary.cluster.internal.protocol.RunCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.cluster.testing.Recording.Call;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.CallableOptions;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.DeviceStepStats;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.RunMetadata;
import org.tensorflow.proto.RunOptions;
import org.tensorflow.proto.StepStats;

/** Every procedure of a master, through a real server. */
@NoLeaks
class MasterRoundTripTest {
  private static final CallOptions OPTIONS = CallOptions.defaults();
  private static final GraphDef GRAPH =
      GraphDef.newBuilder().addNode(NodeDef.newBuilder().setName("x").setOp("NoOp")).build();
  private static final DeviceAttributes CPU =
      DeviceAttributes.newBuilder().setName("/job:a/replica:0/task:0/device:CPU:0").build();
  private static final DeviceAttributes OTHER =
      DeviceAttributes.newBuilder().setName("/job:b/replica:0/task:0/device:CPU:0").build();
  private static final RunMetadata METADATA =
      RunMetadata.newBuilder()
          .setStepStats(
              StepStats.newBuilder().addDevStats(DeviceStepStats.newBuilder().setDevice("d")))
          .build();

  private final Recording<MasterInterface> recording = Recording.of(MasterInterface.class);
  private final GrpcLoop loop = GrpcLoop.around(recording.target());
  private final MasterInterface master = loop.master();

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void createSession_roundTrip_isTheSame() throws Exception {
    CreateSessionRequest request =
        new CreateSessionRequest(
            GRAPH, ConfigProto.newBuilder().setLogDevicePlacement(true).build(), "grpc://a:1");
    answer(new CreateSessionResponse("0123456789abcdef", 7));

    assertThat(get(master.createSession(request, OPTIONS)))
        .isEqualTo(new CreateSessionResponse("0123456789abcdef", 7));
    assertThat(recording.next().arguments()).containsExactly(request);
  }

  @Test
  void extendSession_roundTrip_isTheSame() throws Exception {
    ExtendSessionRequest request = new ExtendSessionRequest("s", GRAPH, 3);
    answer(4L);

    assertThat(get(master.extendSession(request, OPTIONS))).isEqualTo(4L);
    assertThat(recording.next().arguments()).containsExactly(request);
  }

  @Test
  void partialRunSetup_roundTrip_isTheSame() throws Exception {
    PartialRunSetupRequest request =
        new PartialRunSetupRequest("s", List.of("a:0"), List.of("b:0", "c:1"), List.of("t"), 99);
    answer("0");

    assertThat(get(master.partialRunSetup(request, OPTIONS))).isEqualTo("0");
    assertThat(recording.next().arguments()).containsExactly(request);
  }

  @Test
  void runStep_roundTrip_isTheSame() throws Exception {
    RunOptions options = RunOptions.newBuilder().setTimeoutInMs(5).build();
    recording.answering(
        call -> {
          RunStepRequest request = (RunStepRequest) call.arguments().get(0);
          assertThat(request.sessionHandle()).isEqualTo("s");
          assertThat(request.fetches()).containsExactly("y:0", "z:0");
          assertThat(request.targets()).containsExactly("t");
          assertThat(request.options()).isEqualTo(options);
          assertThat(request.partialRunHandle()).isEqualTo("p");
          assertThat(request.requestId()).isEqualTo(-5);
          List<NamedTensor> tensors =
              request.feeds().stream()
                  .map(feed -> new NamedTensor("got " + feed.name(), feed.tensor().retain()))
                  .toList();
          return CompletableFuture.completedFuture(new RunStepResponse(tensors, METADATA));
        });
    try (Tensor numbers = Tensor.of(Shape.of(1, 2), 1.5, -2);
        Tensor words = Tensor.of("ab", "")) {
      RunStepRequest request =
          new RunStepRequest(
              "s",
              List.of(new NamedTensor("a:0", numbers), new NamedTensor("b:0", words)),
              List.of("y:0", "z:0"),
              List.of("t"),
              options,
              "p",
              -5);

      RunStepResponse response = get(master.runStep(request, OPTIONS));

      assertThat(response.metadata()).isEqualTo(METADATA);
      assertThat(response.tensors())
          .extracting(NamedTensor::name)
          .containsExactly("got a:0", "got b:0");
      assertThat(response.tensors().get(0).tensor().toDoubles()).containsExactly(1.5, -2);
      assertThat(response.tensors().get(0).tensor().shape()).isEqualTo(Shape.of(1, 2));
      assertThat(response.tensors().get(1).tensor().toStrings()).containsExactly("ab", "");
      response.tensors().forEach(named -> named.tensor().close());
    }
  }

  @Test
  void runStep_largeFeedsOfEveryForm_areTheSame() throws Exception {
    recording.answering(
        call -> {
          List<NamedTensor> feeds = ((RunStepRequest) call.arguments().get(0)).feeds();
          feeds.forEach(feed -> feed.tensor().retain());
          return CompletableFuture.completedFuture(
              new RunStepResponse(feeds, RunMetadata.getDefaultInstance()));
        });
    boolean[] flags = new boolean[3_000_001];
    String[] words = new String[100_000];
    for (int i = 0; i < words.length; i++) {
      flags[30 * i] = i % 3 != 0;
      words[i] = "word " + i;
    }
    try (Tensor flagTensor = Tensor.of(flags);
        Tensor wordTensor = Tensor.of(words)) {
      RunStepRequest request =
          new RunStepRequest(
              "s",
              List.of(new NamedTensor("a:0", flagTensor), new NamedTensor("b:0", wordTensor)),
              List.of(),
              List.of(),
              RunOptions.getDefaultInstance(),
              "",
              1);

      List<NamedTensor> back = get(master.runStep(request, OPTIONS)).tensors();

      assertThat(back.get(0).tensor().toBooleans()).isEqualTo(flags);
      assertThat(back.get(1).tensor().toStrings()).isEqualTo(words);
      back.forEach(named -> named.tensor().close());
    }
  }

  @Test
  void runStep_errorWithLongText_comesWhole() {
    String text = "no such node ".repeat(2000);
    fail(TributaryException.notFound(text));

    assertFails(master.runStep(emptyStep(), OPTIONS), ErrorCode.NOT_FOUND, text);
  }

  @Test
  void runStep_error_letsTheFeedsGo() {
    fail(TributaryException.notFound("no such node"));
    try (Tensor x = Tensor.of(1f, 2f)) {
      RunStepRequest request =
          new RunStepRequest(
              "s",
              List.of(new NamedTensor("x:0", x)),
              List.of(),
              List.of(),
              RunOptions.getDefaultInstance(),
              "",
              1);
      assertFails(master.runStep(request, OPTIONS), ErrorCode.NOT_FOUND, "no such node");
    }
  }

  @Test
  void closeSession_roundTrip_isTheSame() throws Exception {
    assertThat(get(master.closeSession("s", OPTIONS))).isNull();
    assertThat(recording.next().arguments()).containsExactly("s");
  }

  @Test
  void listDevices_roundTrip_isTheSame() throws Exception {
    ListDevicesResponse devices = new ListDevicesResponse(List.of(CPU), List.of(OTHER, CPU));
    answer(devices);

    assertThat(get(master.listDevices("", OPTIONS))).isEqualTo(devices);
    assertThat(recording.next().arguments()).containsExactly("");
  }

  @Test
  void reset_roundTrip_isTheSame() throws Exception {
    ResetRequest request = new ResetRequest(List.of("box"), List.of("/job:ps"));

    get(master.reset(request, OPTIONS));

    assertThat(recording.next().arguments()).containsExactly(request);
  }

  @Test
  void makeCallable_roundTrip_isTheSame() throws Exception {
    MakeCallableRequest request =
        new MakeCallableRequest("s", CallableOptions.newBuilder().addFeed("x:0").build(), 8);
    answer(3L);

    assertThat(get(master.makeCallable(request, OPTIONS))).isEqualTo(3L);
    assertThat(recording.next().arguments()).containsExactly(request);
  }

  @Test
  void runCallable_roundTrip_isTheSame() throws Exception {
    recording.answering(
        call -> {
          RunCallableRequest request = (RunCallableRequest) call.arguments().get(0);
          assertThat(request.sessionHandle()).isEqualTo("s");
          assertThat(request.callableHandle()).isEqualTo(2);
          assertThat(request.requestId()).isEqualTo(6);
          List<Tensor> fetches = request.feeds().stream().map(Tensor::retain).toList();
          return CompletableFuture.completedFuture(new RunCallableResponse(fetches, METADATA));
        });
    try (Tensor x = Tensor.of(1L, 2L, 3L)) {
      RunCallableResponse response =
          get(master.runCallable(new RunCallableRequest("s", 2, List.of(x, x), 6), OPTIONS));

      assertThat(response.metadata()).isEqualTo(METADATA);
      assertThat(response.fetches()).hasSize(2);
      for (Tensor fetch : response.fetches()) {
        assertThat(fetch.toLongs()).containsExactly(1, 2, 3);
        fetch.close();
      }
    }
  }

  @Test
  void releaseCallable_roundTrip_isTheSame() throws Exception {
    get(master.releaseCallable("s", 5, OPTIONS));

    assertThat(recording.next().arguments()).containsExactly("s", 5L);
  }

  @Test
  void call_handlerThrowsForeignException_isInternal() {
    recording.answering(
        call -> {
          throw new IllegalStateException("odd");
        });

    assertFails(master.closeSession("s", OPTIONS), ErrorCode.INTERNAL, "odd");
  }

  @Test
  void runStep_fetchWithoutAFormInMessages_isUnimplemented() {
    recording.answering(
        call ->
            CompletableFuture.completedFuture(
                new RunStepResponse(
                    List.of(
                        new NamedTensor(
                            "v:0",
                            Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), new Object()))),
                    RunMetadata.getDefaultInstance())));

    assertFails(master.runStep(emptyStep(), OPTIONS), ErrorCode.UNIMPLEMENTED, "no form");
  }

  private void answer(Object response) {
    recording.answering(call -> CompletableFuture.completedFuture(response));
  }

  private void fail(TributaryException error) {
    Function<Call, CompletableFuture<?>> failing = call -> CompletableFuture.failedFuture(error);
    recording.answering(failing);
  }

  private static RunStepRequest emptyStep() {
    return new RunStepRequest(
        "s", List.of(), List.of(), List.of(), RunOptions.getDefaultInstance(), "", 1);
  }

  private static void assertFails(CompletableFuture<?> future, ErrorCode code, String text) {
    assertThatThrownBy(() -> get(future))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(TributaryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(text);
  }

  private static <R> R get(CompletableFuture<R> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }
}
