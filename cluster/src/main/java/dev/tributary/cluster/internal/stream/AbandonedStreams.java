package dev.tributary.cluster.internal.stream;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sockets of servers that were killed, which had no time to remove them. */
final class AbandonedStreams {
  private static final Logger LOG = LoggerFactory.getLogger(AbandonedStreams.class);

  /** A younger one may belong to a server that is about to listen. */
  private static final Duration AGE = Duration.ofMinutes(1);

  private AbandonedStreams() {}

  /**
   * Removes those that lie beside a directory of this process. What cannot be read or removed
   * stays, and so does everything that another user could have put there: links, files that are not
   * sockets, and directories of other users.
   */
  static void removeBeside(Path directory) {
    String all = StreamEndpoint.DIRECTORY_PREFIX + "*";
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory.getParent(), all)) {
      for (Path other : found) {
        remove(other, directory);
      }
    } catch (IOException e) {
      LOG.debug("abandoned streams beside {} stay: {}", directory, e.toString());
    }
  }

  private static void remove(Path directory, Path own) {
    Path socket = directory.resolve(StreamEndpoint.SOCKET);
    try {
      if (OwnFiles.isOwn(directory, OwnFiles.Kind.DIRECTORY, own)
          && OwnFiles.isOwn(socket, OwnFiles.Kind.SOCKET, own)
          && isOld(socket)
          && isDeaf(socket)) {
        Files.deleteIfExists(socket);
        Files.deleteIfExists(directory);
      }
    } catch (IOException e) {
      LOG.debug("the stream at {} stays: {}", socket, e.toString());
    }
  }

  private static boolean isOld(Path socket) throws IOException {
    return Files.getLastModifiedTime(socket).toInstant().isBefore(Instant.now().minus(AGE));
  }

  private static boolean isDeaf(Path socket) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return !channel.isConnected();
    } catch (ConnectException e) {
      return true;
    }
  }
}
