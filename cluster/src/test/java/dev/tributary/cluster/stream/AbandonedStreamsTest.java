package dev.tributary.cluster.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbandonedStreamsTest {
  @TempDir private Path parent;

  @Test
  void removeBeside_killedServers_removesTheirSocketsOnly() throws IOException {
    Path killed = stream("tributary-killed");
    listen(killed).close();
    age(killed);
    Path starting = stream("tributary-starting");
    listen(starting).close();
    Path other = stream("other-killed");
    listen(other).close();
    age(other);
    Path serving = stream("tributary-serving");
    try (ServerSocketChannel alive = listen(serving)) {
      age(serving);

      AbandonedStreams.removeBeside(Files.createDirectory(parent.resolve("tributary-own")));

      assertThat(alive.isOpen()).isTrue();
      assertThat(killed.getParent()).doesNotExist();
      assertThat(starting).exists();
      assertThat(other).exists();
      assertThat(serving).exists();
      assertThat(parent.resolve("tributary-own")).exists();
    }
  }

  private Path stream(String directory) throws IOException {
    return Files.createDirectory(parent.resolve(directory)).resolve(StreamEndpoint.SOCKET);
  }

  private static ServerSocketChannel listen(Path socket) throws IOException {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(socket));
  }

  private static void age(Path socket) throws IOException {
    Files.setLastModifiedTime(socket, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
  }
}
