package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.testing.JavaProgram;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server command under a scheduler: its HTTP port, its exit codes, its task. */
@Tag("processes")
@Timeout(180)
class ServerOperationTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int TERMINATED = 143;

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();

  @Test
  void server_withHttpPort_answersProbesAndShowsMetrics() throws Exception {
    List<String> at = FreePorts.addresses(2);
    String port = at.get(1).substring(at.get(1).indexOf(':') + 1);
    try (JavaProgram server =
        JavaProgram.start(
            Main.class,
            "server",
            "--cluster={\"a\": [\"" + at.get(0) + "\"]}",
            "--job=a",
            "--http-port=" + port)) {
      server.awaitLine("is ready");
      assertThat(get(port, "/livez").statusCode()).isEqualTo(200);
      assertThat(get(port, "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(port, "/metrics").body())
          .contains("tributary_sessions{job_name=\"a\",task=\"0\"} 0.0")
          .doesNotContain(at.get(0));

      server.handle().destroy();
      server.awaitSuccess();
    }
  }

  @Test
  void server_stoppedBeforeTheOthersAreDone_endsWith143() throws Exception {
    List<String> at = FreePorts.addresses(2);
    try (JavaProgram server =
        JavaProgram.start(
            Main.class,
            "server",
            "--ps_hosts=" + at.get(0),
            "--worker_hosts=" + at.get(1),
            "--job_name=ps",
            "--until-done",
            "--http-port=0")) {
      server.awaitLine("is ready");

      server.handle().destroy();

      assertThat(server.awaitExitCode()).isEqualTo(TERMINATED);
      assertThat(server.lines()).anyMatch(line -> line.contains("task:0 stopped"));
    }
  }

  @Test
  void server_taskAuto_takesItFromTheEnvironmentAndSaysSo() throws Exception {
    String address = FreePorts.addresses(1).get(0);
    String config =
        "{\"cluster\":{\"ps\":[\"" + address + "\"]},\"task\":{\"type\":\"ps\",\"index\":0}}";
    List<String> command =
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "server",
            "--task=auto");
    try (JavaProgram server =
        JavaProgram.start(command, environment -> environment.put("TF_CONFIG", config))) {
      server.awaitLine("/job:ps/replica:0/task:0, says TF_CONFIG").awaitLine("serves at");
    }
  }

  @Test
  void server_configurationThatIsRefusedForGood_endsWith78() {
    CommandOutcome open =
        CommandOutcome.of("server", "--cluster={\"a\": [\"example.com:1\"]}", "--job=a");
    CommandOutcome unreadable =
        CommandOutcome.of(
            "server", "--cluster={\"a\": [\"a:1\"]}", "--job=a", "--mutual-tls=/no/such/folder");

    assertThat(open.exitCode()).isEqualTo(78);
    assertThat(open.err()).contains("--insecure");
    assertThat(unreadable.exitCode()).isEqualTo(78);
    assertThat(unreadable.err()).contains("/no/such/folder");
  }

  private HttpResponse<String> get(String port, String path) throws Exception {
    URI uri = URI.create("http://localhost:" + port + path);
    return client.send(
        HttpRequest.newBuilder(uri).timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
  }
}
