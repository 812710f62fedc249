package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.JobToken;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that never authenticate themselves and write frames of HTTP/2 by hand. */
@Timeout(60)
class HostileConnectionsTest {
  private static final int LIMIT_MILLIS = 20_000;
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GO_AWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int MAX_CONCURRENT_STREAMS = 3;
  private static final int ENHANCE_YOUR_CALM = 11;

  /** END_STREAM and END_HEADERS: a call without a message. */
  private static final int WHOLE = 0x5;

  /** END_HEADERS: a call whose message is to come. */
  private static final int BEGUN = 0x4;

  @Test
  void settings_ofAServer_boundTheCallsOfAConnection() throws IOException {
    try (GrpcServer server = serve(new ConnectionLimits(7, 7, LONG));
        Caller caller = new Caller(server)) {
      ByteBuffer settings = ByteBuffer.wrap(caller.await(SETTINGS));
      int calls = -1;
      while (settings.hasRemaining()) {
        short name = settings.getShort();
        int value = settings.getInt();
        calls = name == MAX_CONCURRENT_STREAMS ? value : calls;
      }
      assertThat(calls).isEqualTo(7);
    }
  }

  @Test
  void resets_moreThanAllowed_endTheConnection() throws IOException {
    try (GrpcServer server = serve(new ConnectionLimits(1_000, 20, LONG));
        Caller caller = new Caller(server)) {
      for (int stream = 1; stream < 200; stream += 2) {
        caller.write(HEADERS, BEGUN, stream, headers());
        caller.write(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
      }
      caller.flush();

      ByteBuffer goodbye = ByteBuffer.wrap(caller.await(GO_AWAY));
      goodbye.getInt();
      assertThat(goodbye.getInt()).isEqualTo(ENHANCE_YOUR_CALM);
    }
  }

  @Test
  void connection_withoutCalls_isClosed() throws IOException {
    try (GrpcServer server = serve(new ConnectionLimits(1_000, 1_000, Duration.ofSeconds(1)));
        Caller caller = new Caller(server)) {
      caller.flush();

      assertThat(caller.await(GO_AWAY)).isNotEmpty();
    }
  }

  @Test
  void mistakes_ofOneConnection_fillNoLog() throws IOException {
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Handler handler = new Keeping(logged);
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    try (GrpcServer server = serve(new ConnectionLimits(100_000, 100_000, LONG));
        Caller caller = new Caller(server)) {
      for (int stream = 1; stream < 2_000; stream += 2) {
        caller.write(HEADERS, BEGUN, stream, headers());
        if (stream % 4 == 1) {
          caller.write(WINDOW_UPDATE, 0, stream, new byte[4]); // By 0, which is a mistake.
        } else {
          caller.write(DATA, 0, stream, new byte[] {-1, 0, 0, 0, 0}); // Not the head of a message.
        }
      }
      caller.write(HEADERS, WHOLE, 2_001, headers());
      caller.flush();
      caller.awaitAnswer(2_001);
    } finally {
      root.removeHandler(handler);
    }
    assertThat(logged).filteredOn(record -> record.getLoggerName().startsWith("io.grpc")).isEmpty();
  }

  /** Whatever a caller finds that breaks the server, it does not fill the log with traces. */
  @Test
  void faults_ofOneConnection_fillNoLog() throws InterruptedException {
    MasterInterface broken =
        Recording.of(MasterInterface.class)
            .answering(
                call ->
                    CompletableFuture.failedFuture(new IllegalStateException("a fault of ours")))
            .target();
    try (LogLines log = LogLines.watch();
        GrpcServer server =
            serve(new ConnectionLimits(100_000, 100_000, LONG), broken, ChannelSecurity.none());
        RawCalls raw = new RawCalls("localhost:" + server.port())) {
      for (int i = 0; i < 200; i++) {
        assertThat(raw.status(MasterService.NAME, "ListDevices", ByteString.EMPTY).getCode())
            .isEqualTo(Status.Code.INTERNAL);
      }
      assertThat(log.count()).as("lines, of a trace each ten seconds").isBetween(1, 200);
    }
  }

  private static GrpcServer serve(ConnectionLimits connections) {
    return serve(
        connections,
        Recording.of(MasterInterface.class).target(),
        ChannelSecurity.none().withToken(JobToken.random()));
  }

  private static GrpcServer serve(
      ConnectionLimits connections, MasterInterface master, ChannelSecurity security) {
    return GrpcServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        master,
        Recording.of(WorkerInterface.class).target(),
        new CallerRules(security, Limits.defaults(), TaskMemory.unlimited(), false),
        Optional.empty(),
        Optional::empty,
        new LocalTokens(Path.of("unused")),
        connections);
  }

  /** The headers of a call, as literals that nothing refers to later. */
  private static byte[] headers() {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    String[] fields = {
      ":method", "POST",
      ":scheme", "http",
      ":path", "/grpc.health.v1.Health/Check",
      ":authority", "localhost",
      "content-type", "application/grpc",
      "te", "trailers"
    };
    for (int i = 0; i < fields.length; i += 2) {
      block.write(0);
      for (String text : List.of(fields[i], fields[i + 1])) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        block.write(bytes.length);
        block.writeBytes(bytes);
      }
    }
    return block.toByteArray();
  }

  /** One connection. */
  private static final class Caller implements AutoCloseable {
    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;

    Caller(GrpcServer server) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
      socket.setSoTimeout(LIMIT_MILLIS);
      out = new DataOutputStream(new java.io.BufferedOutputStream(socket.getOutputStream()));
      in = new DataInputStream(socket.getInputStream());
      out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      write(SETTINGS, 0, 0, new byte[0]);
    }

    void write(int type, int flags, int stream, byte[] payload) throws IOException {
      try {
        out.writeByte(payload.length >> 16);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
      } catch (SocketException e) {
        // The server has had enough; what it said is still there to be read.
      }
    }

    void flush() throws IOException {
      try {
        out.flush();
      } catch (SocketException e) {
        // As above.
      }
    }

    /** The payload of the next frame of this type. */
    byte[] await(int type) throws IOException {
      flush();
      return await(type, 0);
    }

    /** Waits until the server has said something about a stream. */
    void awaitAnswer(int stream) throws IOException {
      await(HEADERS, stream);
    }

    private byte[] await(int type, int stream) throws IOException {
      List<Integer> others = new ArrayList<>();
      try {
        while (true) {
          int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
          int found = in.readUnsignedByte();
          in.readByte();
          int of = in.readInt();
          byte[] payload = in.readNBytes(length);
          if (found == type && of == stream) {
            return payload;
          }
          others.add(found);
        }
      } catch (EOFException e) {
        throw new AssertionError("no frame " + type + " but " + others, e);
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** Keeps what is logged. */
  private static final class Keeping extends Handler {
    private final List<LogRecord> records;

    Keeping(List<LogRecord> records) {
      this.records = records;
    }

    @Override
    public void publish(LogRecord record) {
      records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
