package dev.tributary.cluster.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.spec.ClusterSpec;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs without a configuration of their logs, and what appears on their consoles. */
@Tag("processes")
@Timeout(300)
class ConsoleTest {
  private static final TaskName LOCAL = new TaskName("local", 0);

  /** Java's property for a file of host names, instead of the system's lookup. */
  private static final String HOSTS_FILE = "jdk.net.hosts.file";

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

  /** Opens a session at a target, then another after the host's name is gone from the file. */
  public static final class ClientOfAVanishingHost {
    private ClientOfAVanishingHost() {}

    public static void main(String[] arguments) throws IOException {
      Security.setProperty("networkaddress.cache.ttl", "0");
      Security.setProperty("networkaddress.cache.negative.ttl", "0");
      Client.main(new String[] {arguments[0], "0"});
      Files.writeString(Path.of(System.getProperty(HOSTS_FILE)), "");
      Client.main(new String[] {arguments[0], "0"});
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
  void client_hostThatWasReachedVanishes_isUnavailable(@TempDir Path folder) throws Exception {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("local", 1));
    Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 vanishing localhost\n");
    String port = cluster.address(LOCAL).split(":")[1];
    try (Server server = Server.start(ServersForTest.options(cluster, LOCAL));
        JavaProgram client =
            JavaProgram.start(
                List.of(
                    "-D" + HOSTS_FILE + "=" + hosts,
                    "-cp",
                    System.getProperty("java.class.path"),
                    ClientOfAVanishingHost.class.getName(),
                    "grpc://vanishing:" + port))) {
      assertThat(client.awaitSuccess())
          .satisfiesExactly(
              first -> assertThat(first).isEqualTo("opened"),
              second -> assertThat(second).contains("UNAVAILABLE", "unknown host 'vanishing'"));
      assertThat(server.target()).endsWith(port);
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
