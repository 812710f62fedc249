package dev.tributary.cluster.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/**
 * Another user of this machine, {@code nobody}, through whose process connections go: a port here
 * whose connections reach a server as that user's. Only root can start one, with {@code setpriv};
 * elsewhere the test is skipped. Tests that use it carry {@code @Tag("processes")}.
 */
public final class OtherUser implements AutoCloseable {
  /** The number of the user. */
  public static final int UID = 65_534;

  private static final int LIMIT_SECONDS = 60;

  private final Path classes;
  private final Process relay;
  private final int port;

  private OtherUser(Path classes, Process relay, int port) {
    this.classes = classes;
    this.relay = relay;
    this.port = port;
  }

  /**
   * Starts one.
   *
   * @param target a port of this machine or the path of a socket
   */
  public static OtherUser calling(String target) throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can be another user");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv");
    Path classes = Files.createTempDirectory("relay");
    Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path folder = Files.createDirectories(classes.resolve("dev/tributary/cluster/testing"));
    String file = Relay.class.getSimpleName() + ".class";
    Files.copy(Relay.class.getResourceAsStream(file), folder.resolve(file));
    Process relay =
        new ProcessBuilder(
                "/usr/bin/setpriv",
                "--reuid=" + UID,
                "--regid=" + UID,
                "--clear-groups",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                classes.toString(),
                Relay.class.getName(),
                target)
            .redirectErrorStream(true)
            .start();
    String line =
        new BufferedReader(new InputStreamReader(relay.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    assertThat(line).startsWith("port ");
    return new OtherUser(classes, relay, Integer.parseInt(line.substring("port ".length())));
  }

  /** Where connections become the other user's. */
  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  @Override
  public void close() throws Exception {
    relay.destroyForcibly();
    assertThat(relay.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    try (var files = Files.walk(classes)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
