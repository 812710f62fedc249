package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Which silent peers end calls through gRPC, and which do not; {@link HeartbeatTest} has the times.
 */
@Timeout(60)
class SilentPeerTest {
  private static final Duration SILENCE = Duration.ofMillis(200);

  /** Long enough for a watch to have ended the call. */
  private static final long LONGER_MILLIS = 600;

  private final Recording<MasterInterface> master = Recording.of(MasterInterface.class);

  @Test
  void call_peerSaysNothing_endsAndTellsSo() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        GrpcMaster client = new GrpcMaster("localhost:" + mute.getLocalPort(), SILENCE)) {
      CompletableFuture<Void> closing = client.closeSession("s", CallOptions.defaults());

      assertThatThrownBy(() -> closing.get(10, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(
              TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
          .hasMessageContaining("the master at localhost:" + mute.getLocalPort())
          .hasMessageContaining("silent, last heard from never; CloseSession waits for it");
    }
  }

  @Test
  void call_peerThatAnswersChecks_waitsOn() throws Exception {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    master.answering(call -> answer);
    try (GrpcLoop loop = GrpcLoop.around(master.target());
        GrpcMaster client = new GrpcMaster(loop.address(), SILENCE)) {
      CompletableFuture<Void> closing = client.closeSession("s", CallOptions.defaults());
      assertThatThrownBy(() -> closing.get(LONGER_MILLIS, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);

      answer.complete(null);

      closing.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void call_peerWithoutChecks_isNotWatched() throws Exception {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    master.answering(call -> answer);
    // As a stock task: TensorFlow's services, and no others.
    Server stock =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                MasterService.serving(
                    master.target(), new Cancellation(), CallerRules.none(), Runnable::run))
            .addStreamTracerFactory(new IncomingMessages(TaskMemory.unlimited().messages()))
            .build()
            .start();
    try (GrpcMaster client = new GrpcMaster("localhost:" + stock.getPort(), SILENCE)) {
      CompletableFuture<Void> closing = client.closeSession("s", CallOptions.defaults());
      assertThatThrownBy(() -> closing.get(LONGER_MILLIS, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);

      answer.complete(null);

      closing.get(10, TimeUnit.SECONDS);
    } finally {
      stock.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }
}
