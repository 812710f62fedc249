package dev.tributary.cluster.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.server.TimeLimits;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients at addresses where there is no master, not yet, or something else. */
@NoLeaks
@Timeout(120)
class FirstContactTest {
  /** As reserved for names that never exist. */
  private static final String UNKNOWN = "grpc://no-such-host.invalid:2222";

  /** Well below the time in which a session that waits would give up. */
  private static final Duration SOON = Duration.ofSeconds(20);

  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final TaskName LOCAL = new TaskName("local", 0);

  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void open_unknownHost_isNotFoundAtOnce() {
    assertThat(failure(UNKNOWN, ClusterOptions.defaults()))
        .matches(e -> e.code() == ErrorCode.NOT_FOUND)
        .hasMessageContaining("unknown host 'no-such-host.invalid'")
        .hasMessageContaining("withLookupTimeout")
        .hasNoCause();
  }

  @Test
  void open_unknownHostThatMayAppear_isUnavailableInTheEnd() {
    long start = System.nanoTime();
    TributaryException failure =
        failure(UNKNOWN, ClusterOptions.defaults().withLookupTimeout(SHORT));

    assertThat(failure)
        .matches(e -> e.code() == ErrorCode.UNAVAILABLE)
        .hasMessageContaining("unknown host 'no-such-host.invalid' for 1 s");
    assertThat(System.nanoTime() - start).isGreaterThan(SHORT.toNanos() / 2);
  }

  @Test
  void open_malformedAddress_isInvalid() {
    for (String target : List.of("grpc://host", "grpc://host:99999", "grpc://ho st:1", "grpc://")) {
      assertThat(failure(target, ClusterOptions.defaults()))
          .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
          .hasMessageContaining("malformed address");
    }
  }

  @Test
  void open_closedPort_isUnavailableAfterTheConnectTimeout() {
    String address = FreePorts.addresses(1).get(0);
    long start = System.nanoTime();

    assertThat(failure("grpc://" + address, impatient()))
        .matches(e -> e.code() == ErrorCode.UNAVAILABLE)
        .hasMessageContaining(address + ": Connection refused, no process listens there")
        .hasMessageContaining("withConnectTimeout")
        .hasNoCause();
    assertThat(System.nanoTime() - start).isGreaterThan(SHORT.toNanos() / 2);
  }

  @Test
  void open_closedPortAtAnAddressWithColons_isUnavailable() {
    String port = FreePorts.addresses(1).get(0).replaceAll(".*:", "");

    assertThat(failure("grpc://[::1]:" + port, impatient()))
        .matches(e -> e.code() == ErrorCode.UNAVAILABLE)
        .hasMessageContaining("[::1]:" + port);
  }

  @Test
  void open_serverThatStartsWithinTheConnectTimeout_works() throws Exception {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("local", 1));
    ClusterOptions patient =
        ClusterOptions.defaults().withoutShortCut().withConnectTimeout(Duration.ofSeconds(60));
    CompletableFuture<Session> opening =
        CompletableFuture.supplyAsync(() -> open("grpc://" + cluster.address(LOCAL), patient));
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> opening.get(SHORT.toMillis(), TimeUnit.MILLISECONDS));
    try (Server server = Server.start(ServersForTest.options(cluster, LOCAL));
        Session session = opening.get(60, TimeUnit.SECONDS)) {
      assertThat(server.target()).isEqualTo("grpc://" + cluster.address(LOCAL));
      session.run(tf.noOp());
    }
  }

  @Test
  void open_serverOfWebPages_isRefusedAtOnce() throws IOException {
    HttpServer pages = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    pages.start();
    try {
      assertThat(
              failure(
                  "grpc://localhost:" + pages.getAddress().getPort(), ClusterOptions.defaults()))
          .matches(e -> e.code() == ErrorCode.FAILED_PRECONDITION)
          .hasMessageContaining("does not speak gRPC; check host and port");
    } finally {
      pages.stop(0);
    }
  }

  @Test
  void open_serverThatSaysNothing_isUnavailableAfterTheConnectTimeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertThat(failure("grpc://localhost:" + silent.getLocalPort(), impatient()))
          .matches(e -> e.code() == ErrorCode.UNAVAILABLE)
          .hasMessageContaining("no answer within");
    }
  }

  @Test
  void open_serverThatHangsUp_isUnavailableAfterTheConnectTimeout() throws Exception {
    try (ServerSocket rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread acceptor = new Thread(() -> hangUp(rude), "hang-up");
      acceptor.start();
      assertThat(failure("grpc://localhost:" + rude.getLocalPort(), impatient()))
          .matches(e -> e.code() == ErrorCode.UNAVAILABLE)
          .hasMessageContaining("localhost:" + rude.getLocalPort());
      rude.close();
      acceptor.join(SOON.toMillis());
    }
  }

  @Test
  void open_taskAtAnUnknownHost_isWaitedForAndNamed() {
    ClusterSpec cluster =
        ClusterSpec.of(Map.of("local", List.of("localhost:0", "no-such-host.invalid:2222")));
    try (Server server =
        Server.start(
            ServersForTest.options(cluster, LOCAL)
                .withTimes(TimeLimits.defaults().withSession(Duration.ofSeconds(2))))) {
      assertThat(failure(server.target(), ClusterOptions.defaults().withoutShortCut()))
          .matches(e -> e.code() == ErrorCode.DEADLINE_EXCEEDED)
          .hasMessageContaining("no answer within 2 s")
          .hasMessageContaining("task:1 (last heard from never: unknown host)");
    }
  }

  @Tag("slow")
  @Test
  void open_clientWaitsForLessThanItsMaster_isToldWhatTheMasterWaitsFor() {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("local", 2));
    try (Server server = Server.start(ServersForTest.options(cluster, LOCAL))) {
      ClusterOptions impatient = ClusterOptions.defaults().withOpenTimeout(Duration.ofSeconds(8));
      for (ClusterOptions options : List.of(impatient, impatient.withoutShortCut())) {
        assertThat(failure(server.target(), options))
            .matches(e -> e.code() == ErrorCode.DEADLINE_EXCEEDED)
            .hasMessageContaining("was not open within 8 s, since its master waits for")
            .hasMessageContaining(cluster.tasks().get(1).toString())
            .hasMessageContaining("Connection refused");
      }
    }
  }

  @Test
  void tasks_masterThatNamesMissingTasksInItsError_isQuoted() throws Exception {
    Recording<MasterInterface> stock = Recording.of(MasterInterface.class);
    stock.answering(
        call ->
            CompletableFuture.failedFuture(
                call.method().equals("listTasks")
                    ? TributaryException.unimplemented("unknown")
                    : new TributaryException(
                        ErrorCode.DEADLINE_EXCEEDED, "no answer from /job:ps/task:1")));
    try (GrpcLoop loop = GrpcLoop.around(stock.target());
        MasterConnection master = MasterConnection.open("grpc://" + loop.address())) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> master.tasks(Duration.ofSeconds(5)))
          .matches(e -> e.code() == ErrorCode.DEADLINE_EXCEEDED)
          .withMessageContaining("no answer from /job:ps/task:1");
    }
  }

  @Test
  void open_taskAtAServerOfWebPages_isNamedAtOnce() throws IOException {
    HttpServer pages = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    pages.start();
    ClusterSpec cluster =
        ClusterSpec.of(
            Map.of("local", List.of("localhost:0", "localhost:" + pages.getAddress().getPort())));
    try (Server server = Server.start(ServersForTest.options(cluster, LOCAL))) {
      assertThat(failure(server.target(), ClusterOptions.defaults().withoutShortCut()))
          .matches(e -> e.code() == ErrorCode.FAILED_PRECONDITION)
          .hasMessageContaining(cluster.tasks().get(1).toString())
          .hasMessageContaining("does not speak gRPC");
    } finally {
      pages.stop(0);
    }
  }

  @Test
  void tasks_oneIsDown_areListedWithIt() {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("local", 2));
    try (Server server = Server.start(ServersForTest.options(cluster, LOCAL));
        MasterConnection master =
            MasterConnection.open(server.target(), ClusterOptions.defaults().withoutShortCut())) {
      List<MasterConnection.Task> tasks = master.tasks(Duration.ofSeconds(5));

      assertThat(tasks)
          .extracting(MasterConnection.Task::name)
          .containsExactlyElementsOf(cluster.tasks());
      assertThat(tasks.get(0).fault()).isEmpty();
      assertThat(tasks.get(0).devices()).hasSize(1);
      assertThat(tasks.get(1).devices()).isEmpty();
      assertThat(tasks.get(1).fault().orElseThrow())
          .startsWith(cluster.tasks().get(1) + " at " + cluster.address(cluster.tasks().get(1)))
          .contains("Connection refused");
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> master.devices(Duration.ofSeconds(5)))
          .matches(e -> e.code() == ErrorCode.UNAVAILABLE)
          .withMessageContaining("1 of 2 tasks are down")
          .withMessageContaining(cluster.tasks().get(1).toString());
    }
  }

  private Session open(String target, ClusterOptions options) {
    return Session.open(target, tf.graph(), SessionOptions.defaults().withCluster(options));
  }

  /** The failure to open a session, which comes soon and is one line. */
  private TributaryException failure(String target, ClusterOptions options) {
    long start = System.nanoTime();
    TributaryException failure =
        catchThrowableOfType(TributaryException.class, () -> open(target, options).close());
    assertThat(failure).as("failure of %s", target).isNotNull();
    assertThat(failure.getMessage().lines()).hasSize(1);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
    return failure;
  }

  private static ClusterOptions impatient() {
    return ClusterOptions.defaults().withConnectTimeout(SHORT);
  }

  private static void hangUp(ServerSocket server) {
    try {
      while (true) {
        try (Socket caller = server.accept()) {
          caller.getOutputStream().flush();
        }
      }
    } catch (IOException e) {
      // The test is over.
    }
  }
}
