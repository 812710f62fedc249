package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.testing.OtherUser;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FakeClock;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream lets in only those with its token, and bears whatever they write. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StreamServerTest {
  private final FakeClock clock = new FakeClock();
  private final ValueTable sender = new ValueTable();
  private final LocalStreamServer server =
      LocalStreamServer.start(sender, TaskMemory.unlimited(), clock).orElseThrow();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void directory_ofTheSocket_isPrivate() throws IOException {
    Path directory = server.endpoint().path().getParent();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
  }

  @Test
  void token_wrong_isCutOffBeforeAnythingIsAsked() throws IOException {
    try (SocketChannel intruder = raw()) {
      intruder.write(ByteBuffer.wrap(new byte[StreamEndpoint.TOKEN_BYTES]));
      intruder.write(ByteBuffer.wrap(new byte[13]));
      write(receive("key"), new SocketStream(intruder));

      awaitEnd(intruder);
    } catch (IOException e) {
      // Cut off while it still wrote.
    }
    serves();
    assertThat(sender.answer("key")).isNotDone();
  }

  @Test
  @Tag("processes")
  void token_shownByAnotherUser_isCutOff() throws Exception {
    Path socket = server.endpoint().path();
    Files.setPosixFilePermissions(socket.getParent(), PosixFilePermissions.fromString("rwx--x--x"));
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    try (OtherUser nobody = OtherUser.calling(socket.toString());
        SocketChannel intruder = SocketChannel.open(nobody.address())) {
      intruder.write(
          ByteBuffer.allocate(StreamEndpoint.TOKEN_BYTES + 1 + Long.BYTES + Integer.BYTES)
              .put(server.endpoint().token())
              .put((byte) Handshake.Role.REQUESTS.ordinal())
              .flip());

      awaitEnd(intruder);
    }
    serves();
  }

  @Test
  void requests_malformed_endTheirConnectionOnly() throws IOException {
    long seed = 20261116;
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      byte[] garbage = new byte[9 + random.nextInt(100)];
      random.nextBytes(garbage);
      garbage[0] = (byte) (5 + random.nextInt(100)); // No kind of request.
      long id = Handshake.newId();
      try (StreamChannel answers = known(Handshake.Role.ANSWERS, id);
          StreamChannel hostile = known(Handshake.Role.REQUESTS, id)) {
        hostile.write(new ByteBuffer[] {ByteBuffer.wrap(garbage)});
        awaitEnd(hostile);
      } catch (IOException e) {
        // Cut off while it still wrote.
      }
    }
    serves();
  }

  @Test
  void sharedMemory_thatIsNone_endsItsConnectionOnly() throws IOException {
    byte[] path = {'/', 0, 'x'};
    try (SocketChannel hostile = raw()) {
      hostile.write(
          ByteBuffer.allocate(StreamEndpoint.TOKEN_BYTES + 1 + Long.BYTES + Integer.BYTES + 3)
              .put(server.endpoint().token())
              .put((byte) Handshake.Role.REQUESTS.ordinal())
              .putLong(1)
              .putInt(path.length)
              .put(path)
              .flip());

      awaitEnd(hostile);
    }
    serves();
  }

  @Test
  void answers_withoutRequests_areGivenUp() throws Exception {
    try (StreamChannel alone = known(Handshake.Role.ANSWERS, Handshake.newId())) {
      clock.awaitPending(1);

      clock.advance(StreamServer.PAIRING);

      awaitEnd(alone);
    }
  }

  @Test
  void receiver_thatReadsNothing_holdsUpNobody() throws Exception {
    sender.put("large", Tensor.zeros(DataType.FLOAT, Shape.of(4 << 20)));
    long id = Handshake.newId();
    try (StreamChannel neverRead = known(Handshake.Role.ANSWERS, id);
        StreamChannel lazy = known(Handshake.Role.REQUESTS, id)) {
      write(receive("large"), lazy);
      sender.awaitRequest("large");

      serves();
    }
  }

  @Test
  void endpoint_ofAnotherSocket_isRefused() {
    assertThatThrownBy(() -> new StreamEndpoint(Path.of("/run/other.sock"), new byte[32]))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("/run/other.sock");
  }

  private void serves() throws IOException {
    sender.put("value", Tensor.scalar(7));
    try (StreamConnection connection =
            StreamConnection.open("sender", server.endpoint(), TaskMemory.unlimited(), clock);
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

  private static OutgoingMessage receive(String key) {
    return new Requests.Receive(1, new RecvTensorRequest(1, RendezvousKey.of(key), 0))
        .encode(Optional.empty());
  }

  private static void write(OutgoingMessage frame, StreamChannel channel) throws IOException {
    channel.write(frame.parts().toArray(ByteBuffer[]::new));
  }

  private StreamChannel known(Handshake.Role role, long connection) throws IOException {
    return server.endpoint().open(role, connection, Optional.empty());
  }

  private SocketChannel raw() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(server.endpoint().path()));
  }

  /** A socket that is closed before it was read from is reset. */
  private static void awaitEnd(StreamChannel channel) throws IOException {
    try {
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  private static void awaitEnd(SocketChannel channel) throws IOException {
    assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
  }
}
