package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values that somebody pushes to a task for steps that never begin. */
@NoLeaks
@Timeout(120)
class UnclaimedValuesTest {
  private static final String DEVICE = "/job:local/replica:0/task:0/device:CPU:0";
  private static final int MEMORY = 64 << 20;
  private static final int VALUES = 80;

  /** As many floats as a twentieth of the memory has. */
  private static final int LENGTH = MEMORY / 20 / Float.BYTES;

  private final long liveBefore = Allocator.shared().stats().liveBytes();
  private Server server;
  private RawCalls raw;

  @BeforeEach
  void start() {
    server =
        Server.start(
            ServersForTest.options(
                    ClusterSpec.of(Map.of("local", List.of("localhost:0"))),
                    new TaskName("local", 0))
                .withLimits(Limits.defaults().withMemoryBytes(MEMORY)));
    raw = new RawCalls(server.target().substring("grpc://".length()));
  }

  @AfterEach
  void stop() throws InterruptedException {
    raw.close();
    server.stop();
  }

  @Test
  void push_unknownSession_isAbortedAndNothingIsKept() {
    for (int step = 1; step <= VALUES; step++) {
      assertThat(push("nobody's", step).getCode()).isEqualTo(Status.Code.ABORTED);
    }
    assertThat(live()).isZero();
  }

  @Test
  void push_freshStepsOfASession_takesAPartOfTheMemoryOnly() throws Exception {
    String session = newSession();
    int taken = 0;
    for (int step = 1; step <= VALUES; step++) {
      Status status = push(session, step);
      if (status.isOk()) {
        taken++;
      } else {
        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(status.getDescription()).contains("unclaimed values");
      }
    }
    assertThat(taken).isBetween(1, 5);
    assertThat(live()).isBetween(1L, MEMORY / 2L);

    raw.call(
        MasterService.NAME,
        "CloseSession",
        MasterProto.CloseSessionRequest.newBuilder()
            .setSessionHandle(session)
            .build()
            .toByteString());
    assertThat(live()).isZero();
  }

  private Status push(String session, long step) {
    try (Tensor value = Tensor.of(new float[LENGTH])) {
      ByteString request =
          PushTensorMessages.REQUEST
              .encode()
              .apply(
                  new PushTensorRequest(
                      session,
                      step,
                      new RendezvousKey(DEVICE, 1, DEVICE, "x", 0, 0),
                      Optional.of(value)));
      return raw.status(TaskService.NAME, "PushTensor", request);
    }
  }

  private String newSession() throws Exception {
    return MasterProto.CreateSessionResponse.parseFrom(
            raw.call(MasterService.NAME, "CreateSession", ByteString.EMPTY))
        .getSessionHandle();
  }

  /** Native memory of tensors of this process beyond what there was. */
  private long live() {
    return Allocator.shared().stats().liveBytes() - liveBefore;
  }
}
