package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.security.ChannelSecurity;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message that takes long to decode keeps nothing else on its connection from moving. */
@Timeout(60)
class LargeMessageTest {
  private static final ByteString LARGE = ByteString.copyFrom(new byte[8 * ReceivedMessage.LARGE]);

  private final CountDownLatch decoding = new CountDownLatch(1);
  private final CountDownLatch mayDecode = new CountDownLatch(1);
  private final RpcThreads threads = new RpcThreads();
  private final TaskMemory memory = TaskMemory.unlimited();
  private final HealthStatusManager health = new HealthStatusManager();
  private Server server;
  private Peer peer;

  /** A brief call, which is handled on the thread that moves its bytes. */
  private final Rpc<ByteString, ByteString> runStep =
      Rpc.of(
          MasterService.NAME,
          MasterService.RUN_STEP.name(),
          new Codec<>(bytes -> bytes, this::decode),
          new Codec<>(bytes -> bytes, bytes -> ByteString.copyFrom(bytes.toByteArray())));

  /** Another one, with a large answer. */
  private final Rpc<ByteString, ByteString> runCallable =
      Rpc.of(
          MasterService.NAME,
          MasterService.RUN_CALLABLE.name(),
          new Codec<>(bytes -> bytes, bytes -> ByteString.EMPTY),
          new Codec<>(bytes -> bytes, this::decode));

  @BeforeEach
  void start() throws Exception {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .bossEventLoopGroup(threads.io())
            .workerEventLoopGroup(threads.io())
            .channelType(NioServerSocketChannel.class)
            .directExecutor()
            .callExecutor(BriefCalls.executors(threads.calls()))
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .addService(
                new RpcService(
                        MasterService.NAME,
                        MasterProto.getDescriptor(),
                        new Cancellation(),
                        CallerRules.none(),
                        threads.calls())
                    .with(
                        runStep,
                        (feed, options) ->
                            CompletableFuture.completedFuture(
                                ByteString.copyFromUtf8(feed.size() + " bytes")))
                    .with(
                        runCallable, (nothing, options) -> CompletableFuture.completedFuture(LARGE))
                    .build())
            .addService(health.getHealthService())
            .addStreamTracerFactory(new IncomingMessages(memory.messages()))
            .build()
            .start();
    peer =
        new Peer(
            "the master",
            "localhost:" + server.getPort(),
            threads,
            CallerSecurity.of(ChannelSecurity.none()),
            memory,
            Duration.ofMinutes(1));
  }

  @AfterEach
  void close() throws Exception {
    mayDecode.countDown();
    peer.close();
    server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    threads.close();
  }

  @Test
  void heartbeat_whileALargeFeedIsDecoded_isAnswered() throws Exception {
    CompletableFuture<ByteString> step = peer.call(runStep, LARGE, CallOptions.defaults());
    assertThat(decoding.await(30, TimeUnit.SECONDS)).isTrue();

    peer.check(CallOptions.defaults()).get(10, TimeUnit.SECONDS);

    assertThat(step).isNotDone();
    mayDecode.countDown();
    assertThat(step.get(30, TimeUnit.SECONDS).toStringUtf8()).isEqualTo(LARGE.size() + " bytes");
  }

  @Test
  void heartbeat_whileALargeAnswerIsDecoded_isAnswered() throws Exception {
    CompletableFuture<ByteString> step =
        peer.call(runCallable, ByteString.EMPTY, CallOptions.defaults());
    assertThat(decoding.await(30, TimeUnit.SECONDS)).isTrue();

    peer.check(CallOptions.defaults()).get(10, TimeUnit.SECONDS);

    assertThat(step).isNotDone();
    mayDecode.countDown();
    assertThat(step.get(30, TimeUnit.SECONDS)).isEqualTo(LARGE);
  }

  @Test
  void feed_cancelledWhileItIsDecoded_countsUntilItIsReleased() throws Exception {
    Cancellation cancellation = new Cancellation();
    CompletableFuture<ByteString> step =
        peer.call(runStep, LARGE, CallOptions.cancelledBy(cancellation));
    assertThat(decoding.await(30, TimeUnit.SECONDS)).isTrue();

    cancellation.cancel(TributaryException.cancelled("by the test"));
    assertThat(step).failsWithin(Duration.ofSeconds(10));
    // Comes after the reset, on the same connection.
    peer.check(CallOptions.defaults()).get(10, TimeUnit.SECONDS);

    assertThat(memory.messages().held()).isGreaterThanOrEqualTo(LARGE.size());
    mayDecode.countDown();
    awaitNoMessages();
  }

  private void awaitNoMessages() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (memory.messages().held() > 0) {
      assertThat(System.nanoTime()).as("messages are released in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Takes as long as the test wants; only then reads the bytes, which must still be there. */
  private ByteString decode(ByteString bytes) {
    decoding.countDown();
    try {
      assertThat(mayDecode.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }
}
