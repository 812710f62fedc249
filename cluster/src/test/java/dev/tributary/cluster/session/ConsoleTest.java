package dev.tributary.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.FreePorts;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.testing.JavaProgram;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs without a configuration of their logs, and what appears on their consoles. */
@Tag("processes")
@Timeout(300)
class ConsoleTest {
  private static final TaskName LOCAL = new TaskName("local", 0);

  /** Opens a session at a target and prints why that fails. */
  public static final class Client {
    private Client() {}

    public static void main(String[] arguments) {
      ClusterOptions options =
          ClusterOptions.defaults()
              .withLookupTimeout(Duration.ofSeconds(Long.parseLong(arguments[1])));
      Ops tf = Ops.create();
      try {
        Session.open(arguments[0], tf.graph(), SessionOptions.defaults().withCluster(options))
            .close();
        System.out.println("opened");
      } catch (TributaryException e) {
        System.out.println(e);
      }
    }
  }

  /** Serves at an address, with another task at an unknown host, until its input ends. */
  public static final class Host {
    private Host() {}

    public static void main(String[] arguments) throws IOException {
      ClusterSpec cluster =
          ClusterSpec.of(Map.of("local", List.of(arguments[0], "no-such-host.invalid:2222")));
      try (Server server = Server.start(ServersForTest.options(cluster, LOCAL))) {
        System.out.println("ready at " + server.target());
        System.in.read();
      }
    }
  }

  @Test
  void client_unknownHost_printsNothingElse() throws Exception {
    for (String lookupSeconds : List.of("0", "2")) {
      try (JavaProgram client =
          JavaProgram.start(Client.class, "grpc://no-such-host.invalid:2222", lookupSeconds)) {
        assertThat(client.awaitSuccess())
            .singleElement()
            .asString()
            .contains("unknown host 'no-such-host.invalid'");
      }
    }
  }

  @Test
  void client_closedPort_printsNothingElse() throws Exception {
    String address = FreePorts.addresses(1).get(0);
    try (JavaProgram client = JavaProgram.start(Client.class, "grpc://" + address, "0")) {
      assertThat(client.awaitSuccess())
          .singleElement()
          .asString()
          .contains(address + ": Connection refused");
    }
  }

  @Test
  void client_taskMissing_logsWhichItWaitsFor() throws Exception {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("local", 2));
    try (Server server = Server.start(ServersForTest.options(cluster, LOCAL));
        JavaProgram client = JavaProgram.start(Client.class, server.target(), "0")) {
      TaskName missing = cluster.tasks().get(1);
      client.awaitLine(" s for " + missing + " at " + cluster.address(missing) + ": ");
      assertThat(client.lines()).singleElement().asString().contains("INFO", "waiting since");
    }
  }

  @Test
  void server_peerAtAnUnknownHostAndStrangersAtItsPort_printsNoStackTrace() throws Exception {
    String address = FreePorts.addresses(1).get(0);
    try (JavaProgram host = JavaProgram.start(Host.class, address)) {
      host.awaitLine("ready at");
      try (Socket stranger = new Socket("localhost", Integer.parseInt(address.split(":")[1]))) {
        stranger
            .getOutputStream()
            .write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(stranger.getInputStream().readAllBytes()).isNotEmpty();
      }
      host.awaitLine("a caller was turned away: Unexpected HTTP/1.x request");
      try (JavaProgram client = JavaProgram.start(Client.class, "grpc://" + address, "0")) {
        host.awaitLine("(last heard from never: unknown host)");
        client.awaitLine("no-such-host.invalid:2222: unknown host");
      }
      host.endInput().awaitSuccess();
      assertThat(host.lines()).noneMatch(line -> line.startsWith("\tat "));
    }
  }
}
