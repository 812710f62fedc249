package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.cluster.internal.rpc.HostileMessages.Request;
import dev.tributary.cluster.internal.rpc.HostileRequests.Row;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.server.TimeLimits;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.testing.NoLeaks;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hostile client beside a good one: the good one hardly notices, every request gets a status that
 * blames the caller, memory stays below the limit, log lines stay short, and in the end nothing is
 * left. {@code -Dfuzz.requests=10000} is the long form, {@code -Dfuzz.seed=N} another one.
 */
@NoLeaks
@Timeout(3600)
@Tag("slow")
class HostileRequestsTest {
  private static final int REQUESTS = Integer.getInteger("fuzz.requests", 450);
  private static final long SEED = Long.getLong("fuzz.seed", 1);
  private static final int MEMORY = 16 << 20;
  private static final int SESSIONS = 10;
  private static final int NODES = 10_000;
  private static final int AT_ONCE = 8;
  private static final Path MAKE_PIPE = Path.of("/usr/bin/mkfifo");

  /** The long form runs alone; a machine that builds may hold anybody up for a while. */
  private static final Duration WORST_WAIT = Duration.ofSeconds(REQUESTS < 10_000 ? 10 : 1);

  /** Requests for which the server may have no answer in time: they wait, or are cut off. */
  private static final Set<Row> CUT_OFF =
      Set.of(
          Row.MALFORMED,
          Row.WAIT_FOR_NOTHING,
          Row.ENDLESS_LOOP,
          Row.ENDLESS_FUNCTION,
          Row.ENDLESS_PIPELINE,
          Row.BLOCKING_READ);

  /** Requests that the server may do as it is told. */
  private static final Set<Row> FINE =
      Set.of(Row.ABANDONED_SESSION, Row.PUSH_WITHOUT_STEP, Row.LONG_NAMES);

  /** Tells that the server or the way to it broke, or that it has a fault. */
  private static final Set<Status.Code> FAULTS =
      Set.of(Status.Code.UNAVAILABLE, Status.Code.UNKNOWN, Status.Code.INTERNAL);

  private final Random random = new Random(SEED);
  private final Map<Row, Map<Status.Code, Integer>> statuses = new EnumMap<>(Row.class);
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final Queue<String> sessions = new ConcurrentLinkedQueue<>();
  private final Queue<String> workerSessions = new ConcurrentLinkedQueue<>();
  private HostileRequests requests;
  @TempDir private Path folder;

  @Test
  void hostileRequests_besideAGoodClient_harmNobodyAndLeaveNothing() throws Exception {
    try (Server first = start();
        GoodClient good = GoodClient.start(first.target())) {
      good.requireWorst(Duration.ofMinutes(1)); // Java keeps a socket from the first use on.
    }
    Path pipe = makePipe();
    requests = new HostileRequests(SEED, MEMORY, 3 * NODES, pipe);
    HeldResources before = HeldResources.now();
    try (LogLines log = LogLines.watch()) {
      try (Server server = start();
          RawCalls raw = new RawCalls(server.target().substring("grpc://".length()));
          GoodClient good = GoodClient.start(server.target())) {
        attack(raw);
        endReads(pipe);
        endSessions(raw);
        requireRoomForSessions(raw);
        System.out.printf(
            "%,d hostile requests, seed %d: %s; the other client made %,d steps, the worst took %d"
                + " ms%n",
            REQUESTS, SEED, statuses, good.steps(), good.worst().toMillis());
        assertThat(faults.stream().limit(20)).isEmpty();
        good.requireWorst(WORST_WAIT);
        assertThat(good.mostMemory()).isLessThanOrEqualTo(MEMORY);
      }
      assertThat(log.longest()).as("the longest line of the log").hasSizeLessThanOrEqualTo(1000);
    }
    before.awaitNoMore();
  }

  /** Without the command there is no such file, and the requests for it fail. */
  private Path makePipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    if (Files.isExecutable(MAKE_PIPE)) {
      Process made = new ProcessBuilder(MAKE_PIPE.toString(), pipe.toString()).start();
      assertThat(made.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
    return pipe;
  }

  /** Nothing else ends a thread that opens a pipe: its other end is opened, and closed. */
  private static void endReads(Path pipe) throws IOException {
    if (Files.exists(pipe)) {
      new RandomAccessFile(pipe.toFile(), "rw").close();
    }
  }

  private void attack(RawCalls raw) throws Exception {
    Row[] rows = Row.values();
    Semaphore room = new Semaphore(AT_ONCE);
    requests.useSession(newSession(raw));
    for (int i = 0; i < REQUESTS; i++) {
      if (sessions.size() >= SESSIONS / 2 || workerSessions.size() >= SESSIONS / 2) {
        assertThat(room.tryAcquire(AT_ONCE, 60, TimeUnit.SECONDS)).as("all answered").isTrue();
        endSessions(raw);
        room.release(AT_ONCE);
        requests.useSession(newSession(raw));
      }
      // Each once, so that a short run has all of them; then in any order.
      Row row = i < rows.length ? rows[i] : rows[random.nextInt(rows.length)];
      Request request = requests.next(row);
      assertThat(room.tryAcquire(60, TimeUnit.SECONDS)).as("answered in time").isTrue();
      int number = i;
      if (row == Row.RESET_STREAM) {
        raw.startAndCancel(request.service(), request.method(), request.bytes());
        room.release();
      } else {
        raw.ask(request.service(), request.method(), request.bytes(), limit(row, request))
            .whenComplete(
                (answer, thrown) -> {
                  judge(number, row, request, answer);
                  room.release();
                });
      }
    }
    assertThat(room.tryAcquire(AT_ONCE, 60, TimeUnit.SECONDS)).as("all answered").isTrue();
  }

  /** One that opens a session has time to tell which, so that somebody can close it. */
  private static Duration limit(Row row, Request request) {
    boolean isBrief = CUT_OFF.contains(row) && !request.method().startsWith("Create");
    return isBrief ? Duration.ofMillis(100) : Duration.ofSeconds(60);
  }

  private void judge(int number, Row row, Request request, RawCalls.Answer answer) {
    Status.Code code = answer.status().getCode();
    synchronized (statuses) {
      statuses.computeIfAbsent(row, any -> new TreeMap<>()).merge(code, 1, Integer::sum);
    }
    boolean late = code == Status.Code.DEADLINE_EXCEEDED && !CUT_OFF.contains(row);
    boolean isFine = FINE.contains(row);
    boolean unexpected =
        code == Status.Code.OK && !isFine && row != Row.MALFORMED
            || row == Row.FEED_THAT_DOES_NOT_FIT && code != Status.Code.RESOURCE_EXHAUSTED;
    if (late || unexpected || FAULTS.contains(code)) {
      faults.add(
          String.format("request %d of seed %d, %s: %s", number, SEED, row, answer.status()));
    }
    if (answer.status().isOk()) {
      keep(request, answer.message());
    }
  }

  /** Remembers what the request has opened, for somebody to close it. */
  private void keep(Request request, ByteString response) {
    try {
      if (request.method().equals("CreateSession")) {
        sessions.add(MasterProto.CreateSessionResponse.parseFrom(response).getSessionHandle());
      } else if (request.method().equals("CreateWorkerSession")) {
        workerSessions.add(
            WorkerProto.CreateWorkerSessionRequest.parseFrom(request.bytes()).getSessionHandle());
      }
    } catch (InvalidProtocolBufferException e) {
      faults.add(request.method() + " answered with " + e);
    }
  }

  private String newSession(RawCalls raw) throws Exception {
    String handle =
        MasterProto.CreateSessionResponse.parseFrom(
                raw.call(
                    MasterService.NAME,
                    "CreateSession",
                    MasterProto.CreateSessionRequest.newBuilder()
                        .setGraphDef(requests.graph())
                        .build()
                        .toByteString()))
            .getSessionHandle();
    sessions.add(handle);
    return handle;
  }

  private void endSessions(RawCalls raw) {
    for (String handle = sessions.poll(); handle != null; handle = sessions.poll()) {
      ByteString request =
          MasterProto.CloseSessionRequest.newBuilder()
              .setSessionHandle(handle)
              .build()
              .toByteString();
      raw.status(MasterService.NAME, "CloseSession", request); // It may be closed already.
    }
    for (String h = workerSessions.poll(); h != null; h = workerSessions.poll()) {
      raw.call(
          WorkerService.NAME,
          "DeleteWorkerSession",
          WorkerProto.DeleteWorkerSessionRequest.newBuilder()
              .setSessionHandle(h)
              .build()
              .toByteString());
    }
  }

  /** All places are free but that of the other client. */
  private void requireRoomForSessions(RawCalls raw) throws Exception {
    for (int i = 0; i < SESSIONS - 1; i++) {
      newSession(raw);
    }
    endSessions(raw);
  }

  private static Server start() {
    return Server.start(
        ServersForTest.options(
                ClusterSpec.of(Map.of("local", List.of("localhost:0"))), new TaskName("local", 0))
            .withTimes(TimeLimits.defaults().withSession(Duration.ofSeconds(1)))
            .withLimits(
                Limits.defaults()
                    .withMessageBytes(2 * MEMORY)
                    .withGraphNodes(NODES)
                    .withSessions(SESSIONS)
                    .withMemoryBytes(MEMORY)));
  }
}
