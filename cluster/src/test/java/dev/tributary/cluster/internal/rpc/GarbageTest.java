package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import io.grpc.Status;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.RunOptions;

/** Requests of clients that are broken, or mean harm. */
@NoLeaks
class GarbageTest {
  private static final List<String> MASTER_METHODS =
      MasterProto.getDescriptor().findServiceByName("MasterService").getMethods().stream()
          .map(method -> method.getName())
          .toList();
  private static final List<String> WORKER_METHODS =
      WorkerProto.getDescriptor().findServiceByName("WorkerService").getMethods().stream()
          .map(method -> method.getName())
          .toList();

  private final Recording<MasterInterface> master = Recording.of(MasterInterface.class);
  private final Recording<WorkerInterface> worker = Recording.of(WorkerInterface.class);
  private GrpcLoop loop;
  private RawCalls raw;

  @BeforeEach
  void start() {
    // Whatever can be decoded at all is refused, so that the answer is always an error.
    TributaryException refused = new TributaryException(ErrorCode.PERMISSION_DENIED, "refused");
    master.answering(call -> CompletableFuture.failedFuture(refused));
    worker.answering(call -> CompletableFuture.failedFuture(refused));
    loop = GrpcLoop.around(master.target(), worker.target());
    raw = new RawCalls(loop.address());
  }

  @AfterEach
  void stop() throws InterruptedException {
    raw.close();
    loop.close();
  }

  @Test
  void randomBytes_everyMethod_areRefusedAndTheServerGoesOn() throws Exception {
    long seed = 1;
    Random random = new Random(seed);
    for (int i = 0; i < 150; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      assertRefused(ByteString.copyFrom(bytes), "seed " + seed + ", request " + i);
    }
    assertAlive();
  }

  @Test
  void validRequest_anyByteChangedOrCutOff_isRefusedAndTheServerGoesOn() throws Exception {
    long seed = 2;
    Random random = new Random(seed);
    ByteString valid = validStep();
    for (int i = 0; i < 1500; i++) {
      byte[] bytes = valid.substring(0, 1 + random.nextInt(valid.size())).toByteArray();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      Status status = raw.status(MasterService.NAME, "RunStep", ByteString.copyFrom(bytes));
      assertThat(status.getCode())
          .as("seed %d, request %d: %s", seed, i, status)
          .isIn(
              Status.Code.OK, // The error is in the body.
              Status.Code.INVALID_ARGUMENT,
              Status.Code.PERMISSION_DENIED,
              Status.Code.UNIMPLEMENTED); // A type that exists, but not here.
    }
    assertAlive();
  }

  @Test
  void truncatedMessage_anyMethod_isInvalid() {
    // A field of 100 bytes which are not there.
    ByteString truncated = ByteString.fromHex("0a6401");

    Status status = raw.status(MasterService.NAME, "CreateSession", truncated);

    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status.getDescription()).contains("malformed CreateSessionRequest");
  }

  @Test
  void truncatedGraph_insideOfAMessage_isInvalid() {
    ByteString request =
        MasterProto.CreateSessionRequest.newBuilder()
            .setGraphDef(ByteString.fromHex("0a6401"))
            .build()
            .toByteString();

    Status status = raw.status(MasterService.NAME, "CreateSession", request);

    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status.getDescription()).contains("malformed GraphDef");
  }

  @Test
  void secondFeedMalformed_firstOne_isClosed() {
    ByteString good = Wire.field(2, Wire.field(2, ByteString.fromHex("080122040000803f")));
    ByteString unknownType = Wire.field(2, Wire.field(2, ByteString.fromHex("087f")));

    Status status = raw.status(MasterService.NAME, "RunStep", good.concat(unknownType));

    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void noMessageAtAll_anyMethod_isInvalid() throws Exception {
    Status status = raw.statusWithoutRequest(MasterService.NAME, "CloseSession");

    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status.getDescription()).contains("CloseSession came without a request");
  }

  @Test
  void unknownMethod_anyRequest_isUnimplemented() {
    assertThat(raw.status(WorkerService.NAME, "Fly", ByteString.EMPTY).getCode())
        .isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  private void assertRefused(ByteString request, String what) {
    for (String method : MASTER_METHODS) {
      assertRefused(MasterService.NAME, method, request, what);
    }
    for (String method : WORKER_METHODS) {
      assertRefused(WorkerService.NAME, method, request, what);
    }
  }

  private void assertRefused(String service, String method, ByteString request, String what) {
    Status status = raw.status(service, method, request);
    assertThat(status.getCode())
        .as("%s to %s: %s", what, method, status)
        .isIn(Status.Code.INVALID_ARGUMENT, Status.Code.PERMISSION_DENIED);
  }

  private void assertAlive() throws Exception {
    worker.answering(call -> CompletableFuture.completedFuture(null));
    loop.worker().cleanupGraph(1, CallOptions.defaults()).get(20, TimeUnit.SECONDS);
  }

  private static ByteString validStep() {
    try (Tensor numbers = Tensor.of(1f, 2f, 3f);
        Tensor words = Tensor.of("ab", "cd")) {
      RunStepRequest request =
          new RunStepRequest(
              "session",
              List.of(new NamedTensor("x:0", numbers), new NamedTensor("y:0", words)),
              List.of("z:0"),
              List.of("t"),
              RunOptions.newBuilder().setTimeoutInMs(7).build(),
              "",
              3);
      ByteString bytes = StepMessages.RUN.encode().apply(new ErrorsInBody<>(request, true));
      return ByteString.copyFrom(bytes.toByteArray());
    }
  }
}
