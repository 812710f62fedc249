package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A network connection that breaks after any number of bytes, in each direction of each socket: all
 * calls end, and no tensor is lost on either side.
 */
@NoLeaks
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NetworkFaultsTest {
  private static final long LIMIT_SECONDS = 20;
  private static final int LARGE = 25_000;

  /** A token, a role, a connection and the length of no path. */
  private static final int HANDSHAKE_BYTES = 32 + 1 + 8 + 4;

  private static final InetAddress HOST = InetAddress.getLoopbackAddress();

  private final ValueTable worker = new ValueTable();
  private final TaskMemory serverMemory = TaskMemory.limited(1 << 28);
  private final TaskMemory callerMemory = TaskMemory.limited(1 << 28);
  private final NetworkStreamServer server =
      NetworkStreamServer.start(
          new InetSocketAddress(HOST, 0),
          Optional.empty(),
          worker,
          serverMemory,
          ThreadTimer.shared());

  private int broken;
  private int whole;

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void requests_cutAfterAnyByte_endAndLeakNothing() throws Exception {
    everyCut(1, true);
    assertThat(whole).as("cuts beyond what is sent").isPositive();
  }

  @Test
  void answers_cutAfterAnyByte_endAndLeakNothing() throws Exception {
    everyCut(0, false);
    assertThat(whole).as("cuts beyond what is sent").isPositive();
  }

  @Test
  void handshake_cutAfterAnyByte_isAFailureToConnect() throws Exception {
    for (int bytes = 0; bytes < HANDSHAKE_BYTES; bytes += 4) {
      cut(0, true, bytes);
    }
    assertThat(whole).isZero();
  }

  /** Of small messages every third byte, of large ones the edges and some in between. */
  private void everyCut(int socket, boolean towardsServer) throws Exception {
    int[] small = IntStream.iterate(0, i -> i < 700, i -> i + 7).toArray();
    int elements = LARGE * Float.BYTES;
    int[] large =
        IntStream.of(1000, 40_000, elements - 1, elements, elements + 150, elements + 250)
            .toArray();
    for (int bytes : small) {
      cut(socket, towardsServer, bytes);
    }
    for (int bytes : large) {
      cut(socket, towardsServer, bytes);
      cut(socket, towardsServer, elements + bytes);
    }
    cut(socket, towardsServer, Integer.MAX_VALUE - 1);
    assertThat(broken).isPositive();
  }

  private void cut(int socket, boolean towardsServer, int bytes) throws Exception {
    NetworkEndpoint offer = server.offer();
    NetworkRoute route = new NetworkRoute(HOST.getHostAddress(), Optional.empty());
    try (CuttingRelay relay = new CuttingRelay(server.port(), socket, towardsServer, bytes);
        StreamConnection connection =
            StreamConnection.open(
                "the worker",
                new NetworkEndpoint(relay.port(), offer.connection(), offer.secret()),
                route,
                callerMemory,
                ThreadTimer.shared())) {
      use(connection);
    } catch (IOException e) {
      broken++; // Before there was a connection.
    }
    requireNothingHeld(bytes);
  }

  private void use(StreamConnection connection) throws Exception {
    List<CompletableFuture<?>> calls = new ArrayList<>();
    try (Tensor small = Tensor.of(1f, 2f);
        Tensor large = Tensor.zeros(DataType.FLOAT, Shape.of(LARGE))) {
      for (Tensor value : List.of(small, small, large, small)) {
        calls.add(connection.pushTensor(push(value)));
      }
      for (Tensor fed : List.of(small, large)) {
        calls.add(
            connection
                .runGraph(step(fed), CallOptions.defaults())
                .thenAccept(answer -> answer.received().forEach(value -> value.tensor().close())));
      }
      boolean failed = false;
      for (CompletableFuture<?> call : calls) {
        failed |= fails(call);
      }
      CompletableFuture<?> last =
          connection.recvTensor(new RecvTensorRequest(1, unknownKey(), 0), CallOptions.defaults());
      connection.close();
      assertThat(fails(last)).isTrue();
      broken += failed ? 1 : 0;
      whole += failed ? 0 : 1;
    }
  }

  /** A new one each time: the worker answers a key of an earlier cut with that cut's end. */
  private RendezvousKey unknownKey() {
    return RendezvousKey.of("never, nor in cut " + (broken + whole));
  }

  private static boolean fails(CompletableFuture<?> call) throws Exception {
    try {
      call.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      return false;
    } catch (ExecutionException e) {
      assertThat(e.getCause())
          .isInstanceOfSatisfying(
              TributaryException.class,
              reason -> assertThat(reason.code()).isEqualTo(ErrorCode.UNAVAILABLE));
      return true;
    }
  }

  private void requireNothingHeld(int bytes) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (held() > 0 && System.nanoTime() < deadline) {
      worker.dropPushed();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    assertThat(held()).as("bytes held after a cut at byte %d", bytes).isZero();
  }

  private long held() {
    return serverMemory.budget().used() + callerMemory.budget().used();
  }

  private static PushTensorRequest push(Tensor value) {
    return new PushTensorRequest("", 1, RendezvousKey.of("a;01;b;x;0:0"), Optional.of(value));
  }

  private static RunGraphRequest step(Tensor fed) {
    return new RunGraphRequest(
        "",
        false,
        "graph",
        1,
        List.of(new KeyedTensor(RendezvousKey.of("x"), fed)),
        List.of(RendezvousKey.of("y")),
        ExecutorOptions.none(),
        Piece.NONE,
        false,
        1);
  }
}
