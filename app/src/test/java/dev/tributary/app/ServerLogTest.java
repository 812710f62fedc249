package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.JobToken;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.testing.JavaProgram;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the operator of a server reads in its log. */
@Tag("processes")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ServerLogTest {
  private static final String LINE =
      "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} (INFO|WARN) \\w+ - .+";

  private final Ops tf = Ops.create();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @Test
  void log_ofAServersLife_hasWhatAnOperatorWants(@TempDir Path folder) throws Exception {
    String address = FreePorts.addresses(1).get(0);
    String target = "grpc://" + address;
    Path token = folder.resolve("token");
    JobToken.of("0123456789abcdef").write(token);
    SessionOptions options =
        SessionOptions.defaults()
            .withCluster(
                ClusterOptions.defaults()
                    .withSecurity(ChannelSecurity.none().withToken(JobToken.read(token))));
    tf.constant(1f);
    try (JavaProgram server =
        JavaProgram.start(
            Main.class,
            "server",
            "--cluster={\"local\": [\"" + address + "\"]}",
            "--job=local",
            "--token-file=" + token,
            "--max-sessions=1",
            "--fast-paths=pushed")) {
      server.awaitLine("INFO Server - /job:local/replica:0/task:0 serves at " + target);
      assertThat(last(server)).contains("cluster: 1 local", "security: token", "paths: pushed");
      server.awaitLine("INFO WarmUp - /job:local/replica:0/task:0 is warmed up after");

      assertThat(CommandOutcome.of("devices", target).exitCode()).isEqualTo(1);
      server.awaitLine("WARN RefusedCalls - refused grpc.health.v1.Health/Check from");
      try (Session session = Session.open(target, tf.graph(), options)) {
        server.awaitLine("INFO TaskLog - /job:local/replica:0/task:0: session ");
        assertThat(last(server)).matches(".* opened by 127\\.0\\.0\\.1:\\d+; 1 open");

        assertThatExceptionOfType(TributaryException.class)
            .isThrownBy(() -> Session.open(target, tf.graph(), options).close())
            .withMessageContaining("--max-sessions");
        server.awaitLine("WARN TaskLog - /job:local/replica:0/task:0: refused a request: 1 of at");
      }
      server.awaitLine(" closed; 0 open");

      server.handle().destroy();
      server.awaitSuccess();
    }
  }

  @Test
  void log_callersThatCannotBeServed_areNamed(@TempDir Path folder) throws Exception {
    String address = FreePorts.addresses(1).get(0);
    String cluster = "--cluster={\"local\": [\"" + address + "\"]}";
    CommandOutcome certs = CommandOutcome.of("certs", folder.resolve("tls").toString(), cluster);
    assertThat(certs.exitCode()).as(certs.err()).isZero();
    try (JavaProgram server =
        JavaProgram.start(
            Main.class,
            "server",
            cluster,
            "--job=local",
            "--tls=" + folder.resolve("tls"),
            "--max-message-bytes=100000")) {
      server.awaitLine("serves at");
      try (Socket stranger = new Socket("localhost", Integer.parseInt(address.split(":")[1]))) {
        stranger.getOutputStream().write(new byte[100]);
        server.awaitLine("WARN RefusedHandshakes - refused a connection from /127.0.0.1:");
        assertThat(last(server)).endsWith("it does not speak TLS");
      }

      tf.constant(new float[100_000]);
      ClusterOptions options =
          ClusterOptions.defaults()
              .withSecurity(
                  ChannelSecurity.none()
                      .withTls(new CertificateFolder(folder.resolve("tls")).ofClient()));
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(
              () ->
                  Session.open(
                          "grpc://" + address,
                          tf.graph(),
                          SessionOptions.defaults().withCluster(options))
                      .close());
      server.awaitLine("WARN LongMessages - refused tensorflow.MasterService/CreateSession: ");
      assertThat(last(server)).endsWith("(--max-message-bytes)");
    }
  }

  @Test
  void log_peerKilledAndStartedAgain_tellsLossAndReturn() throws Exception {
    List<String> at = FreePorts.addresses(2);
    String[] hosts = {"server", "--ps_hosts", at.get(0), "--worker_hosts", at.get(1)};
    Variable w = tf.withDevice("/job:ps/task:0").variable("w", tf.constant(1f));
    JavaProgram ps = JavaProgram.start(Main.class, with(hosts, "ps"));
    try (JavaProgram worker = JavaProgram.start(Main.class, with(hosts, "worker"))) {
      ps.awaitLine("serves at");
      worker.awaitLine("serves at");
      String target = "grpc://" + at.get(1);
      try (Session session = Session.open(target, tf.graph())) {
        ps.awaitLine("opened by the master of /job:worker/replica:0/task:0; 1 open");
        session.run(w.initializer());

        ps.handle().destroyForcibly();
        ps.awaitExitCode();
        assertThatExceptionOfType(TributaryException.class)
            .isThrownBy(() -> session.run(w.initializer()));
        worker.awaitLine("/job:ps/replica:0/task:0 at " + at.get(0) + ": the connection is lost");
      }
      ps = JavaProgram.start(Main.class, with(hosts, "ps"));
      try (Session session = Session.open(target, tf.graph())) {
        session.run(w.initializer());
        worker.awaitLine(at.get(0) + ": the connection is there again");
      }
      worker.handle().destroy();
      assertThat(worker.awaitSuccess()).allMatch(line -> line.matches(LINE));
    } finally {
      ps.close();
    }
  }

  private static String last(JavaProgram program) {
    List<String> lines = program.lines();
    return lines.get(lines.size() - 1);
  }

  private static String[] with(String[] hosts, String job) {
    List<String> all = new java.util.ArrayList<>(List.of(hosts));
    all.addAll(List.of("--job_name", job));
    return all.toArray(String[]::new);
  }
}
