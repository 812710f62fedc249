package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.rpc.GrpcWorkers;
import dev.tributary.cluster.internal.session.MasterConnection;
import dev.tributary.cluster.internal.stream.StreamUse;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.JobToken;
import dev.tributary.security.TlsFiles;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.DeviceDescription;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.testing.NoLeaks;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that let in whom they should, and tell the others why not. */
@NoLeaks
@Timeout(120)
class SecureServersTest {
  private static final Map<String, Integer> PS_AND_WORKER = Map.of("ps", 1, "worker", 1);
  private static final JobToken TOKEN = JobToken.random();
  private static final ChannelSecurity WITH_TOKEN = ChannelSecurity.none().withToken(TOKEN);

  /** Short enough that a test fails which has to wait for it; the errors below must not. */
  private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(20);

  private static final CallOptions CALL = CallOptions.defaults().within(OPEN_TIMEOUT);

  @TempDir private static Path folder;

  private static CertificateFolder certificates;
  private static CertificateFolder ofOthers;

  private final Ops tf = Ops.create();

  @BeforeAll
  static void makeCertificates() {
    certificates = make("ours", "localhost:0");
    ofOthers = make("theirs", "localhost:0");
  }

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void steps_mutualTls_crossTasks() {
    assertTrains(task -> tls(certificates.ofTask(task).withMutual()), tls(certificates.ofClient()));
  }

  @Test
  void steps_mutualTlsOverTheNetwork_goPastGrpc() {
    Map<String, ChannelSecurity> ofJobs = new HashMap<>();
    for (String job : PS_AND_WORKER.keySet()) {
      ofJobs.put(job, tls(certificates.ofTask(new TaskName(job, 0)).withMutual()));
    }
    Variable sum = tf.withDevice("/job:ps/task:0").variable("sum", tf.constant(0f));
    Ops worker = tf.withDevice("/job:worker/task:0");
    Output next = worker.add(sum.value(), worker.constant(1.5f));
    try (ServersForTest servers =
            ServersForTest.start(
                PS_AND_WORKER,
                options ->
                    options
                        .withSecurity(ofJobs.get(options.task().job()))
                        .withFastPaths(FastPaths.NETWORK));
        Session session =
            Session.open(
                servers.target("worker", 0), tf.graph(), options(tls(certificates.ofClient())))) {
      session.run(sum.initializer());
      do {
        session.run(sum.assign(next));
      } while (!readsFromAStream()); // Connecting holds up no step.
      session.run(sum.initializer());
      for (int i = 0; i < 10; i++) {
        session.run(sum.assign(next));
      }
      try (StepResult result = session.runner().fetch(sum.value()).run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(15f);
      }
    }
  }

  private static boolean readsFromAStream() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("tributary-stream-values"));
  }

  @Test
  void steps_tlsAndToken_crossTasks() {
    assertTrains(
        task -> tls(certificates.ofTask(task)).withToken(TOKEN),
        tls(TlsFiles.trusting(ca())).withToken(TOKEN));
  }

  @Test
  void steps_token_crossTasks() {
    assertTrains(task -> WITH_TOKEN, WITH_TOKEN);
  }

  @Test
  void open_serverOfAnotherAuthority_isRefusedAtOnce() {
    try (ServersForTest servers = start(task -> tls(certificates.ofTask(task)))) {
      assertRefused(servers, tls(ofOthers.ofClient()))
          .withMessageContaining("the TLS handshake failed")
          .withMessageContaining("this side does not trust the certificate of the server")
          .withMessageContaining(servers.target("worker", 0));
    }
  }

  @Test
  void open_withoutTheCertificateThatIsAskedFor_isRefusedAtOnce() {
    try (ServersForTest servers = start(task -> tls(certificates.ofTask(task).withMutual()))) {
      assertRefused(servers, tls(TlsFiles.trusting(ca())))
          .withMessageContaining("the TLS handshake failed")
          .withMessageMatching("(?is).*certificate.*");
    }
  }

  @Test
  void open_withACertificateOfAnotherAuthority_isRefusedAtOnce() {
    TlsFiles.Identity stranger = ofOthers.ofClient().identity().orElseThrow();
    try (ServersForTest servers = start(task -> tls(certificates.ofTask(task).withMutual()))) {
      assertRefused(
              servers,
              tls(
                  TlsFiles.trusting(ca())
                      .withIdentity(stranger.certificate(), stranger.privateKey())))
          .withMessageContaining("the TLS handshake failed")
          .withMessageContaining("the server does not trust the certificate of this side");
    }
  }

  @Test
  void open_serverWithACertificateForAnotherHost_isRefusedAtOnce() {
    CertificateFolder elsewhere = make("elsewhere", "elsewhere.example.com:0");
    try (ServersForTest servers = start(task -> tls(elsewhere.ofTask(task)))) {
      assertRefused(servers, tls(elsewhere.ofClient()))
          .withMessageContaining("the TLS handshake failed")
          .withMessageContaining("localhost");
    }
  }

  @Test
  void open_plainTextAtATlsServer_isRefusedAtOnce() {
    try (ServersForTest servers = start(task -> tls(certificates.ofTask(task)))) {
      assertRefused(servers, ChannelSecurity.none())
          .withMessageContaining("it wants TLS and got plain text");
    }
  }

  @Test
  void devices_plainTextAtATlsServer_areRefused() {
    try (ServersForTest servers = start(task -> tls(certificates.ofTask(task)))) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> devices(servers))
          .matches(e -> e.code() == ErrorCode.UNAUTHENTICATED)
          .withMessageContaining("it wants TLS and got plain text");
    }
  }

  @Test
  void open_tlsAtAPlainTextServer_isRefusedAtOnce() {
    try (ServersForTest servers = start(task -> ChannelSecurity.none())) {
      assertRefused(servers, tls(certificates.ofClient()))
          .withMessageContaining("it does not speak TLS");
    }
  }

  @Test
  void open_wrongToken_isRefused() {
    try (ServersForTest servers = start(task -> WITH_TOKEN)) {
      assertRefused(servers, ChannelSecurity.none().withToken(JobToken.random()))
          .withMessageContaining("token is not the one")
          .withMessageNotContaining(TOKEN.secret());
      assertRefused(servers, ChannelSecurity.none()).withMessageContaining("has no token");
    }
  }

  @Test
  void open_taskThatRefusesItsMaster_isNamedAtOnce() {
    try (ServersForTest servers =
        start(
            task ->
                task.job().equals("ps")
                    ? ChannelSecurity.none().withToken(JobToken.random())
                    : WITH_TOKEN)) {
      assertRefused(servers, WITH_TOKEN)
          .withMessageContaining("/job:ps/replica:0/task:0")
          .withMessageContaining("token is not the one");
    }
  }

  @Test
  void devices_withoutToken_areNotTold() {
    try (ServersForTest servers = start(task -> WITH_TOKEN)) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> devices(servers))
          .matches(e -> e.code() == ErrorCode.UNAUTHENTICATED);
    }
  }

  @Test
  void reset_securedCluster_takesTheOptionsOfASession() {
    try (ServersForTest servers = start(task -> WITH_TOKEN)) {
      Session.reset(servers.target("worker", 0), List.of(), options(WITH_TOKEN));
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(
              () ->
                  Session.reset(
                      servers.target("worker", 0), List.of(), options(ChannelSecurity.none())))
          .matches(e -> e.code() == ErrorCode.UNAUTHENTICATED);
    }
  }

  @Test
  void reset_adminToken_isNeededBesideTheJobs() {
    ChannelSecurity admin = WITH_TOKEN.withAdminToken(JobToken.random());
    assertAdminsOnly(task -> admin, admin, WITH_TOKEN);
    assertAdminsOnly(
        task -> admin, admin, WITH_TOKEN.withAdminToken(JobToken.of("not-the-admins-token")));
  }

  @Test
  void reset_adminCertificate_isNeeded() {
    assertAdminsOnly(
        task -> tls(certificates.ofTask(task).withAdminRole()),
        tls(certificates.ofAdmin()),
        tls(certificates.ofClient()));
  }

  /** Only an admin resets, and ends a parameter server; but tasks among themselves do both. */
  private void assertAdminsOnly(
      Function<TaskName, ChannelSecurity> ofTasks, ChannelSecurity admin, ChannelSecurity client) {
    assertTrains(ofTasks, client);
    try (ServersForTest servers = start(ofTasks)) {
      Server ps = servers.server("ps", 0);
      ps.stopWhenOthersAreDone();
      assertDenied(
          () -> Session.reset(servers.target("worker", 0), List.of(), options(client)), "Reset");
      assertDenied(() -> cleanUp(servers, client), "CleanupAll");
      assertDenied(() -> complete(servers, client), "TaskCompleted");
      Session.reset(servers.target("worker", 0), List.of(), options(admin));
      cleanUp(servers, admin);

      servers.server("worker", 0).complete();

      assertThat(joins(ps)).isTrue();
    }
  }

  private static void assertDenied(ThrowingCallable call, String procedure) {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(call)
        .matches(e -> e.code() == ErrorCode.PERMISSION_DENIED, "PERMISSION_DENIED")
        .withMessageContaining(procedure)
        .withMessageContaining("admin");
  }

  private static void cleanUp(ServersForTest servers, ChannelSecurity security) {
    callPs(servers, security, ps -> ps.cleanupAll(List.of(), CALL));
  }

  private static void complete(ServersForTest servers, ChannelSecurity security) {
    callPs(servers, security, ps -> ps.taskCompleted(new TaskName("worker", 0), CALL));
  }

  private static void callPs(
      ServersForTest servers,
      ChannelSecurity security,
      Function<WorkerInterface, CompletableFuture<Void>> call) {
    TaskName self = new TaskName("worker", 0);
    try (ThreadTimer timer = new ThreadTimer(Thread::new);
        GrpcWorkers workers =
            new GrpcWorkers(
                servers.cluster(),
                self,
                null,
                security,
                TaskMemory.unlimited(),
                Duration.ofSeconds(5),
                StreamUse.NONE,
                timer)) {
      call.apply(workers.worker(new TaskName("ps", 0))).join();
    } catch (CompletionException e) {
      throw (TributaryException) e.getCause();
    }
  }

  private static boolean joins(Server server) {
    try {
      return server.join(OPEN_TIMEOUT);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void start_addressThatOthersReach_needsToKnowCallers() {
    ClusterSpec open = ClusterSpec.of(Map.of("worker", List.of("0.0.0.0:0")));
    TaskName task = new TaskName("worker", 0);
    ServerOptions options = ServersForTest.options(open, task);

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> Server.start(options.withSecurity(tls(certificates.ofTask(task)))))
        .matches(e -> e.code() == ErrorCode.FAILED_PRECONDITION)
        .withMessageContaining("mutual TLS or a token");
    Server.start(options.withSecurity(tls(certificates.ofTask(task).withMutual()))).stop();
    Server.start(options.withSecurity(WITH_TOKEN)).stop();
  }

  @Test
  void start_fileMissing_isNamed() {
    ClusterSpec cluster = ClusterSpec.of(Map.of("worker", List.of("localhost:0")));
    TaskName task = new TaskName("worker", 0);
    Path missing = folder.resolve("missing.pem");

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(
            () ->
                Server.start(
                    ServersForTest.options(cluster, task)
                        .withSecurity(tls(TlsFiles.trusting(ca()).withIdentity(missing, missing)))))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
        .withMessageContaining(missing.toString());
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(
            () ->
                Server.start(
                    ServersForTest.options(cluster, task)
                        .withSecurity(tls(TlsFiles.trusting(ca()).withIdentity(ca(), ca())))))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
        .withMessageContaining("TLS");
  }

  @Test
  void open_fileMissing_isNamed() {
    Path missing = folder.resolve("missing.pem");

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(
            () ->
                Session.open(
                    "grpc://localhost:1", tf.graph(), options(tls(TlsFiles.trusting(missing)))))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
        .withMessageContaining(missing.toString());
  }

  /** A variable on the parameter server, changed by the worker, for a client without short cut. */
  private void assertTrains(Function<TaskName, ChannelSecurity> ofTasks, ChannelSecurity client) {
    Variable sum = tf.withDevice("/job:ps/task:0").variable("sum", tf.constant(0f));
    Ops worker = tf.withDevice("/job:worker/task:0");
    Output next = worker.add(sum.value(), worker.constant(1.5f));
    try (ServersForTest servers = start(ofTasks);
        Session session = Session.open(servers.target("worker", 0), tf.graph(), options(client))) {
      session.run(sum.initializer());
      for (int i = 0; i < 10; i++) {
        session.run(sum.assign(next));
      }
      try (StepResult result = session.runner().fetch(sum.value()).run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(15f);
      }
    }
  }

  private ThrowableAssertAlternative<TributaryException> assertRefused(
      ServersForTest servers, ChannelSecurity client) {
    long start = System.nanoTime();
    ThrowableAssertAlternative<TributaryException> refusal =
        assertThatExceptionOfType(TributaryException.class)
            .isThrownBy(
                () ->
                    Session.open(servers.target("worker", 0), tf.graph(), options(client)).close())
            .matches(e -> e.code() == ErrorCode.UNAUTHENTICATED, "UNAUTHENTICATED");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(OPEN_TIMEOUT);
    return refusal;
  }

  private static ServersForTest start(Function<TaskName, ChannelSecurity> ofTasks) {
    return ServersForTest.start(
        PS_AND_WORKER,
        options ->
            options
                .withSecurity(ofTasks.apply(options.task()))
                .withTimes(TimeLimits.defaults().withSession(OPEN_TIMEOUT)));
  }

  /** What a client without any credentials is told. */
  private static List<DeviceDescription> devices(ServersForTest servers) {
    try (MasterConnection stranger =
        MasterConnection.open(
            servers.target("worker", 0), ClusterOptions.defaults().withoutShortCut())) {
      return stranger.devices(Duration.ofSeconds(10));
    }
  }

  private static SessionOptions options(ChannelSecurity security) {
    return SessionOptions.defaults()
        .withCluster(
            ClusterOptions.defaults()
                .withoutShortCut()
                .withOpenTimeout(OPEN_TIMEOUT)
                .withSecurity(security));
  }

  private static CertificateFolder make(String name, String address) {
    return ClusterCertificates.make(
        folder.resolve(name),
        ClusterSpec.of(Map.of("ps", List.of(address), "worker", List.of(address))),
        Clock.systemUTC(),
        Duration.ofDays(1));
  }

  private static ChannelSecurity tls(TlsFiles files) {
    return ChannelSecurity.none().withTls(files);
  }

  private static Path ca() {
    return certificates.ofClient().authorities();
  }
}
