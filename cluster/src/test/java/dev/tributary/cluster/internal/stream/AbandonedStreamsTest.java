package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
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

  @Test
  void removeBeside_linksAndFilesOfOthers_stay() throws IOException {
    Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
    Path precious = Files.writeString(elsewhere.resolve(StreamEndpoint.SOCKET), "precious");
    age(precious);
    Files.createSymbolicLink(parent.resolve("tributary-link"), elsewhere);
    Path regular = Files.writeString(stream("tributary-regular"), "not a socket");
    age(regular);
    Path linked = stream("tributary-linked");
    Path abandoned = stream("abandoned");
    listen(abandoned).close();
    age(abandoned);
    Files.createSymbolicLink(linked, abandoned);

    AbandonedStreams.removeBeside(Files.createDirectory(parent.resolve("tributary-own")));

    assertThat(precious).hasContent("precious");
    assertThat(regular).exists();
    assertThat(linked).isSymbolicLink();
    assertThat(Files.exists(abandoned)).isTrue();
  }

  @Test
  void removeBeside_directoryOfAnotherUser_stays() throws IOException {
    Path foreign = stream("tributary-foreign");
    listen(foreign).close();
    age(foreign);
    giveAway(foreign.getParent());

    AbandonedStreams.removeBeside(Files.createDirectory(parent.resolve("tributary-own")));

    assertThat(Files.exists(foreign)).isTrue();
  }

  @Test
  void removeAbandoned_sharedMemoryOfAnotherUser_stays() throws IOException {
    assumeTrue(SharedFolder.probe().map(AbandonedStreamsTest::dropped).orElse(false), "/dev/shm");
    Path foreign = SharedFolder.newFile();
    Path own = SharedFolder.newFile();
    try {
      age(foreign);
      age(own);
      giveAway(foreign);

      SharedFolder.removeAbandoned(parent);

      assertThat(foreign).exists();
      assertThat(own).doesNotExist();
    } finally {
      Files.deleteIfExists(foreign);
      Files.deleteIfExists(own);
    }
  }

  private static boolean dropped(Path probe) {
    SharedFolder.drop(Optional.of(probe));
    return true;
  }

  private static void giveAway(Path path) throws IOException {
    assumeTrue(Files.getOwner(path).getName().equals("root"), "only root can give files away");
    Files.setAttribute(path, "unix:uid", 65_534);
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
