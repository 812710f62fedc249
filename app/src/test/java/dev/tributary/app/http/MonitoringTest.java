package dev.tributary.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MonitoringTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final Monitoring monitoring =
      Monitoring.start(HostAndPort.parse("localhost:0"), "worker", 1);

  @AfterEach
  void close() {
    monitoring.close();
  }

  @Test
  void readyz_followsTheStateWhileLivezStaysWell() throws Exception {
    assertThat(get("/readyz").statusCode()).isEqualTo(503);
    assertThat(get("/readyz").body()).isEqualTo("starting\n");
    assertThat(get("/livez").statusCode()).isEqualTo(200);

    monitoring.ready();
    assertThat(get("/readyz").statusCode()).isEqualTo(200);

    monitoring.stopping();
    assertThat(get("/readyz").body()).isEqualTo("stopping\n");
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    monitoring.ready();
    assertThat(get("/readyz").statusCode()).as("ready after it stops").isEqualTo(503);
  }

  @Test
  void metrics_trainingAndVirtualMachine_areShown() throws Exception {
    assertThat(get("/metrics").body()).doesNotContain("tributary_training_step");

    monitoring.stepped(7, Duration.ofMillis(500));

    assertThat(get("/metrics").headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    assertThat(get("/metrics").body().lines())
        .contains(
            "tributary_global_step{job_name=\"worker\",task=\"1\"} 7.0",
            "tributary_training_step_seconds_count{job_name=\"worker\",task=\"1\"} 1",
            "tributary_training_step_seconds_sum{job_name=\"worker\",task=\"1\"} 0.5")
        .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"))
        .anyMatch(line -> line.startsWith("jvm_threads_live_threads{"))
        .anyMatch(line -> line.startsWith("process_uptime_seconds{"))
        .anyMatch(line -> line.startsWith("tributary_tensors{"));
  }

  @Test
  void metrics_ofAServer_countItsStepsAndFailures() throws Exception {
    List<String> addresses = FreePorts.addresses(2);
    ClusterSpec cluster =
        ClusterSpec.of(Map.of("ps", addresses.subList(0, 1), "worker", addresses.subList(1, 2)));
    Ops tf = Ops.create();
    Output x = tf.withDevice("/job:ps").placeholder(DataType.FLOAT, Shape.of(25));
    Output sent = tf.withDevice("/job:ps").identity(x);
    Output received = tf.withDevice("/job:worker").neg(sent);
    try (Server ps = Server.start(ServerOptions.of(cluster, "ps", 0));
        Server worker = Server.start(ServerOptions.of(cluster, "worker", 0));
        Session session = Session.open(worker.target(), tf.graph())) {
      monitoring.ready(worker);
      session.fetch(received, Feeds.of(x, new float[25]));
      assertThatThrownBy(() -> session.fetch(received)).isInstanceOf(TributaryException.class);

      assertThat(get("/metrics").body().lines())
          .contains(
              "tributary_step_seconds_count{job_name=\"worker\",task=\"1\"} 2",
              "tributary_sessions{job_name=\"worker\",task=\"1\"} 1.0")
          .anyMatch(
              line ->
                  line.startsWith("tributary_transfer_bytes_total{direction=\"received\"")
                      && line.contains("peer=\"ps/0\"")
                      && line.endsWith(" 100.0"))
          .anyMatch(line -> line.startsWith("tributary_errors_total{code=\"INVALID_ARGUMENT\""));
    } finally {
      tf.graph().close();
    }
  }

  @Test
  void requests_ofOtherPathsAndMethods_areRefused() throws Exception {
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/metrics/more").statusCode()).isEqualTo(404);
    HttpRequest post =
        HttpRequest.newBuilder(uri("/livez")).POST(HttpRequest.BodyPublishers.noBody()).build();
    assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(405);
  }

  @Test
  void requests_thatNeverComplete_doNotKeepProbesWaiting() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 16; i++) {
        Socket half = new Socket("localhost", monitoring.port().orElseThrow());
        slow.add(half);
        half.getOutputStream().write("GET /livez HT".getBytes(StandardCharsets.US_ASCII));
      }

      assertThat(get("/livez").statusCode()).isEqualTo(200);
    } finally {
      for (Socket half : slow) {
        half.close();
      }
    }
  }

  @Test
  void start_portThatIsTaken_isRefused() {
    HostAndPort taken = new HostAndPort("localhost", monitoring.port().orElseThrow());

    assertThatThrownBy(() -> Monitoring.start(taken, "worker", 0))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("--http-port: cannot listen at " + taken);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(path)).timeout(LIMIT).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://localhost:" + monitoring.port().orElseThrow() + path);
  }
}
