package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.server.TimeLimits;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import io.grpc.Status;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Hostile messages to a whole task: each gets a status, the server lives, and its memory stays
 * bounded. {@code -Dfuzz.messages=1000000 -Dfuzz.seed=7} sends more and others.
 */
@NoLeaks
@Timeout(3600)
@Tag("slow")
class FuzzTest {
  private static final int MESSAGES = Integer.getInteger("fuzz.messages", 5_000);
  private static final long SEED = Long.getLong("fuzz.seed", 1);
  private static final int AT_ONCE = 64;
  private static final int SESSION_LIFE = 500;
  private static final long MEMORY = 256 << 20;

  /** Calls that may wait for what never comes; the caller's own limit ends them. */
  private static final Set<String> MAY_WAIT =
      Set.of("RunStep", "RunCallable", "RunGraph", "RecvTensor", "CreateSession", "Tracing");

  /** Tells that the server or the way to it broke, or that it has a fault. */
  private static final Set<Status.Code> FAULTS =
      Set.of(Status.Code.UNAVAILABLE, Status.Code.UNKNOWN, Status.Code.INTERNAL);

  private final Ops tf = Ops.create();
  private final Map<Status.Code, Integer> statuses = new ConcurrentHashMap<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final Queue<ByteString> workerSessions = new ConcurrentLinkedQueue<>();
  private Server server;
  private RawCalls raw;

  @BeforeEach
  void start() {
    server =
        Server.start(
            ServersForTest.options(
                    ClusterSpec.of(Map.of("local", List.of("localhost:0"))),
                    new TaskName("local", 0))
                .withTimes(TimeLimits.defaults().withSession(Duration.ofSeconds(1)))
                .withLimits(
                    Limits.defaults()
                        .withMessageBytes(1 << 20)
                        .withGraphNodes(1000)
                        .withSessions(20)
                        .withMemoryBytes(64 << 20)));
    raw = new RawCalls(server.target().substring("grpc://".length()));
  }

  @AfterEach
  void stop() throws InterruptedException {
    raw.close();
    server.stop();
    tf.graph().close();
  }

  @Test
  void hostileMessages_bothServices_getAStatusAndTheServerLives() throws Exception {
    tf.neg(tf.placeholder(DataType.FLOAT, Shape.of(-1)));
    HostileMessages messages = new HostileMessages(SEED);
    Semaphore room = new Semaphore(AT_ONCE);
    for (int i = 0; i < MESSAGES; i++) {
      if (i % SESSION_LIFE == 0) {
        messages.knowSession(newSession());
      }
      assertThat(room.tryAcquire(60, TimeUnit.SECONDS)).as("answered in time").isTrue();
      int number = i;
      HostileMessages.Request request = messages.next();
      raw.start(request.service(), request.method(), request.bytes(), limit(request))
          .whenComplete(
              (status, thrown) -> {
                judge(number, request, status);
                room.release();
              });
    }
    assertThat(room.tryAcquire(AT_ONCE, 60, TimeUnit.SECONDS)).as("all answered").isTrue();
    endSessions();
    System.out.printf("%,d hostile messages, seed %d: %s%n", MESSAGES, SEED, statuses);
    assertThat(faults.stream().limit(20)).isEmpty();
    assertThat(Allocator.shared().stats().liveBytes()).isLessThan(MEMORY);
    assertThat(usedHeap()).isLessThan(MEMORY);
    assertAlive();
  }

  @Test
  void noHttpAtAll_manyConnections_areClosedAndTheServerLives() throws Exception {
    Random random = new Random(SEED);
    String preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    for (int i = 0; i < 200; i++) {
      byte[] noise = new byte[1 + random.nextInt(2000)];
      random.nextBytes(noise);
      try (Socket socket = new Socket("localhost", port())) {
        socket.setSoTimeout(20_000);
        OutputStream out = socket.getOutputStream();
        if (random.nextBoolean()) {
          out.write(preface.getBytes(StandardCharsets.US_ASCII));
        }
        out.write(noise);
        socket.shutdownOutput();
        awaitEnd(socket.getInputStream());
      } catch (SocketException e) {
        // Closed while we were still writing, as it may be.
      }
    }
    assertAlive();
  }

  private static Duration limit(HostileMessages.Request request) {
    return MAY_WAIT.contains(request.method()) ? Duration.ofMillis(100) : Duration.ofSeconds(60);
  }

  private void judge(int number, HostileMessages.Request request, Status status) {
    if (request.method().equals("CreateWorkerSession") && status.isOk()) {
      workerSessions.add(request.bytes());
    }
    statuses.merge(status.getCode(), 1, Integer::sum);
    boolean late =
        status.getCode() == Status.Code.DEADLINE_EXCEEDED && !MAY_WAIT.contains(request.method());
    if (late || FAULTS.contains(status.getCode())) {
      faults.add(
          String.format("message %d of seed %d, %s: %s", number, SEED, request.method(), status));
    }
  }

  private String newSession() throws Exception {
    endSessions();
    ByteString request =
        MasterProto.CreateSessionRequest.newBuilder()
            .setGraphDef(GraphDefs.toProto(tf.graph()).toByteString())
            .build()
            .toByteString();
    return MasterProto.CreateSessionResponse.parseFrom(
            raw.call(MasterService.NAME, "CreateSession", request))
        .getSessionHandle();
  }

  /** Whatever is open belongs to nobody by now, and there is room for few. */
  private void endSessions() throws Exception {
    raw.call(MasterService.NAME, "Reset", ByteString.EMPTY);
    for (ByteString made = workerSessions.poll(); made != null; made = workerSessions.poll()) {
      String handle = WorkerProto.CreateWorkerSessionRequest.parseFrom(made).getSessionHandle();
      ByteString request =
          WorkerProto.DeleteWorkerSessionRequest.newBuilder()
              .setSessionHandle(handle)
              .build()
              .toByteString();
      raw.call(WorkerService.NAME, "DeleteWorkerSession", request);
    }
  }

  private void assertAlive() {
    try (Session session = Session.open(server.target(), tf.graph())) {
      session.run(tf.noOp());
    }
  }

  private int port() {
    return Integer.parseInt(server.target().substring(server.target().lastIndexOf(':') + 1));
  }

  private static void awaitEnd(InputStream in) throws Exception {
    while (in.read() >= 0) {
      // Only the end counts.
    }
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
