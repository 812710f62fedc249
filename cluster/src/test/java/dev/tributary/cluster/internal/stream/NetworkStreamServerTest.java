package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FakeClock;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream port lets in only connections that were offered, and bears whatever comes. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NetworkStreamServerTest {
  private static final InetAddress HOST = InetAddress.getLoopbackAddress();
  private static final NetworkRoute ROUTE =
      new NetworkRoute(HOST.getHostAddress(), Optional.empty());

  private final FakeClock clock = new FakeClock();
  private final ValueTable sender = new ValueTable();
  private final NetworkStreamServer server =
      NetworkStreamServer.start(
          new InetSocketAddress(HOST, 0), Optional.empty(), sender, TaskMemory.unlimited(), clock);

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void secret_wrong_isCutOffAndTheOfferStays() throws IOException {
    NetworkEndpoint offer = server.offer();
    NetworkEndpoint guess =
        new NetworkEndpoint(offer.port(), offer.connection(), Handshake.newToken());

    assertCutOff(guess, Handshake.Role.REQUESTS);
    assertCutOff(guess, Handshake.Role.ANSWERS);

    serves(offer);
  }

  @Test
  void connection_thatWasNotOffered_isCutOff() throws IOException {
    NetworkEndpoint offer = server.offer();

    assertCutOff(
        new NetworkEndpoint(offer.port(), offer.connection() + 1, offer.secret()),
        Handshake.Role.REQUESTS);

    serves(offer);
  }

  @Test
  void secret_usedTwice_isCutOff() throws IOException {
    NetworkEndpoint offer = server.offer();
    serves(offer);

    assertCutOff(offer, Handshake.Role.REQUESTS);
    assertCutOff(offer, Handshake.Role.ANSWERS);
  }

  @Test
  void secret_ofARoleThatIsThere_isCutOff() throws Exception {
    NetworkEndpoint offer = server.offer();
    try (StreamChannel one = open(offer, Handshake.Role.ANSWERS);
        StreamChannel other = open(offer, Handshake.Role.ANSWERS)) {
      // Whichever is read second.
      CompletableFuture.anyOf(ended(one), ended(other)).get(20, TimeUnit.SECONDS);
    }
  }

  private static CompletableFuture<Void> ended(StreamChannel channel) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            awaitEnd(channel);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> new Thread(task, "awaits-end").start());
  }

  @Test
  void offer_thatIsOld_isCutOff() throws IOException {
    NetworkEndpoint offer = server.offer();

    clock.advance(NetworkStreamServer.OFFER.plusNanos(1));

    assertCutOff(offer, Handshake.Role.REQUESTS);
    serves(server.offer());
  }

  @Test
  void offers_tooMany_dropTheOldest() throws IOException {
    NetworkEndpoint oldest = server.offer();
    for (int i = 0; i < NetworkStreamServer.MOST_OFFERS; i++) {
      server.offer();
    }

    assertCutOff(oldest, Handshake.Role.REQUESTS);
    serves(server.offer());
  }

  @Test
  void socket_thatSaysNothing_isCutOffInTime() throws Exception {
    try (SocketChannel silent = raw()) {
      clock.awaitPending(1);

      clock.advance(StreamServer.PAIRING);

      awaitEnd(silent);
    }
    serves(server.offer());
  }

  @Test
  void answers_withoutRequests_areGivenUp() throws Exception {
    try (StreamChannel alone = open(server.offer(), Handshake.Role.ANSWERS)) {
      clock.awaitPending(1);

      clock.advance(StreamServer.PAIRING);

      awaitEnd(alone);
    }
  }

  @Test
  void strangers_tooMany_areCutOffAtOnceAndTheRestInTime() throws Exception {
    List<SocketChannel> flood = new ArrayList<>();
    try {
      for (int i = 0; i < NetworkStreamServer.MOST_STRANGERS; i++) {
        flood.add(raw());
      }
      clock.awaitPending(NetworkStreamServer.MOST_STRANGERS);
      try (SocketChannel oneMore = raw()) {
        awaitEnd(oneMore);
      }

      clock.advance(StreamServer.PAIRING);

      for (SocketChannel stranger : flood) {
        awaitEnd(stranger);
      }
    } finally {
      for (SocketChannel stranger : flood) {
        stranger.close();
      }
    }
    serves(server.offer());
  }

  @Test
  void garbage_insteadOfAHandshake_isCutOff() throws IOException {
    Random random = new Random(20261118);
    for (int i = 0; i < 200; i++) {
      byte[] garbage = new byte[45 + random.nextInt(2000)];
      random.nextBytes(garbage);
      try (SocketChannel hostile = raw()) {
        hostile.write(ByteBuffer.wrap(garbage));
        awaitEnd(hostile);
      } catch (IOException e) {
        // Cut off while it still wrote.
      }
    }
    serves(server.offer());
  }

  @Test
  void requests_malformed_endTheirConnectionOnly() throws IOException {
    Random random = new Random(20261118);
    for (int i = 0; i < 100; i++) {
      byte[] garbage = new byte[9 + random.nextInt(100)];
      random.nextBytes(garbage);
      garbage[0] = (byte) (5 + random.nextInt(100)); // No kind of request.
      NetworkEndpoint offer = server.offer();
      try (StreamChannel answers = open(offer, Handshake.Role.ANSWERS);
          StreamChannel hostile = open(offer, Handshake.Role.REQUESTS)) {
        hostile.write(new ByteBuffer[] {ByteBuffer.wrap(garbage)});
        awaitEnd(hostile);
      } catch (IOException e) {
        // Cut off while it still wrote.
      }
    }
    serves(server.offer());
  }

  /** Requests that are right but for one byte; whatever that makes of them, others are served. */
  @Test
  void requests_withOneByteChanged_endTheirConnectionAtMost() throws IOException {
    long seed = 20261118;
    Random random = new Random(seed);
    byte[] request = bytes(receive("other"));
    for (int i = 0; i < request.length; i++) {
      byte[] changed = request.clone();
      changed[i] ^= (byte) (1 + random.nextInt(255));
      NetworkEndpoint offer = server.offer();
      try (StreamChannel answers = open(offer, Handshake.Role.ANSWERS);
          StreamChannel hostile = open(offer, Handshake.Role.REQUESTS)) {
        hostile.write(new ByteBuffer[] {ByteBuffer.wrap(changed)});
      }
    }
    serves(server.offer());
  }

  @Test
  void sender_thatStopsInAMessage_isCutOffInTime() throws Exception {
    NetworkEndpoint offer = server.offer();
    try (StreamChannel answers = open(offer, Handshake.Role.ANSWERS);
        StreamChannel lame = open(offer, Handshake.Role.REQUESTS)) {
      assertThat(answers.read(ByteBuffer.allocate(1))).isEqualTo(1);
      lame.write(new ByteBuffer[] {ByteBuffer.wrap(bytes(receive("key"))).limit(9)});
      awaitUnderWay();

      clock.advance(StallWatch.LOOK.multipliedBy(4));

      awaitEnd(lame);
    }
    serves(server.offer());
  }

  /** Without a hook in the server, the next connection shows that it has had the time. */
  private void awaitUnderWay() throws IOException {
    for (int i = 0; i < 20; i++) {
      serves(server.offer());
    }
  }

  @Test
  void receiver_thatReadsNothing_holdsUpNobody() throws Exception {
    sender.put("large", Tensor.zeros(DataType.FLOAT, Shape.of(4 << 20)));
    NetworkEndpoint offer = server.offer();
    try (StreamChannel neverRead = open(offer, Handshake.Role.ANSWERS);
        StreamChannel lazy = open(offer, Handshake.Role.REQUESTS)) {
      lazy.write(new ByteBuffer[] {ByteBuffer.wrap(bytes(receive("large")))});
      sender.awaitRequest("large");

      serves(server.offer());
    }
  }

  @Test
  void port_thatIsTaken_isFailedPreconditionAndNamesTheOption() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, HOST)) {
      assertThatThrownBy(
              () ->
                  NetworkStreamServer.start(
                      new InetSocketAddress(HOST, taken.getLocalPort()),
                      Optional.empty(),
                      sender,
                      TaskMemory.unlimited(),
                      clock))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
          .hasMessageContaining("--stream-port")
          .hasMessageContaining(String.valueOf(taken.getLocalPort()));
    }
  }

  @Test
  void listener_thatNeverGreets_isGivenUp() throws Exception {
    FakeClock callers = new FakeClock();
    try (ServerSocket mute = new ServerSocket(0, 5, HOST)) {
      NetworkEndpoint wrong = new NetworkEndpoint(mute.getLocalPort(), 1, Handshake.newToken());
      assertThatThrownBy(
              () ->
                  StreamConnection.open("other", wrong, ROUTE, TaskMemory.unlimited(), callers)
                      .close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("does not let the connection in");
    }
  }

  private void serves(NetworkEndpoint offer) throws IOException {
    sender.put("value", Tensor.scalar(7));
    try (StreamConnection connection =
            StreamConnection.open(
                "sender", offer, ROUTE, TaskMemory.unlimited(), ThreadTimer.shared());
        Tensor value =
            connection
                .recvTensor(
                    new RecvTensorRequest(1, RendezvousKey.of("value"), 0), CallOptions.defaults())
                .orTimeout(20, TimeUnit.SECONDS)
                .join()
                .value()
                .orElseThrow()) {
      assertThat(value.intValue()).isEqualTo(7);
    }
    sender.forget("value");
  }

  private static void assertCutOff(NetworkEndpoint endpoint, Handshake.Role role)
      throws IOException {
    try (StreamChannel channel = open(endpoint, role)) {
      awaitEnd(channel);
    }
  }

  private static StreamChannel open(NetworkEndpoint endpoint, Handshake.Role role)
      throws IOException {
    return ROUTE.open(endpoint, role, ThreadTimer.shared());
  }

  private static OutgoingMessage receive(String key) {
    return new Requests.Receive(1, new RecvTensorRequest(1, RendezvousKey.of(key), 0))
        .encode(Optional.empty());
  }

  private static byte[] bytes(OutgoingMessage frame) {
    ByteBuffer all = ByteBuffer.allocate(1 << 12);
    frame.parts().forEach(all::put);
    byte[] bytes = new byte[all.position()];
    all.flip().get(bytes);
    return bytes;
  }

  private SocketChannel raw() throws IOException {
    return SocketChannel.open(new InetSocketAddress(HOST, server.port()));
  }

  private static void awaitEnd(SocketChannel socket) throws IOException {
    awaitEnd(new SocketStream(socket));
  }

  /** A socket that is closed before all was read from it is reset. */
  private static void awaitEnd(StreamChannel channel) throws IOException {
    try {
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }
}
