package dev.tributary.cluster.internal.stream;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of the memory that processes of one machine share: files that never get to a disk and
 * that only this user may open. A file has a name until the other side has opened it, so that
 * nothing outlives the two processes.
 */
final class SharedFolder {
  private static final Logger LOG = LoggerFactory.getLogger(SharedFolder.class);
  private static final Path FOLDER = Path.of("/dev/shm");
  private static final String PREFIX = "tributary-";

  /** Names are there for a moment only. An older one is of processes that were both killed. */
  private static final Duration AGE = Duration.ofMinutes(10);

  private SharedFolder() {}

  /**
   * Creates an empty file by which a peer with the same folder is recognised; none on a system
   * without such a folder.
   */
  static Optional<Path> probe() {
    if (!Files.isDirectory(FOLDER)) {
      return Optional.empty();
    }
    try {
      return Optional.of(newFile());
    } catch (IOException e) {
      LOG.debug("no memory is shared: {}", e.toString());
      return Optional.empty();
    }
  }

  /** Removes a probe, and returns whether it was in this folder. */
  static boolean takesProbe(Path probe) throws IOException {
    requireOurs(probe);
    return Files.deleteIfExists(probe);
  }

  /** Removes a probe that nobody may have taken. */
  static void drop(Optional<Path> probe) {
    try {
      if (probe.isPresent()) {
        Files.deleteIfExists(probe.get());
      }
    } catch (IOException e) {
      LOG.debug("{} stays: {}", probe.get(), e.toString());
    }
  }

  static Path newFile() throws IOException {
    return Files.createTempFile(FOLDER, PREFIX, "");
  }

  /** The number of bytes that the folder has room for. */
  static long room() throws IOException {
    return Files.getFileStore(FOLDER).getUsableSpace();
  }

  /** A peer must not be able to make us open or remove any other file of the machine. */
  static void requireOurs(Path file) throws IOException {
    if (!FOLDER.equals(file.getParent()) || !file.getFileName().toString().startsWith(PREFIX)) {
      throw new IOException("malformed: shared memory at " + file);
    }
  }

  /**
   * Removes files of processes of this user that were killed before either could.
   *
   * @param own a directory that this process has created
   */
  static void removeAbandoned(Path own) {
    if (!Files.isDirectory(FOLDER)) {
      return;
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(FOLDER, PREFIX + "*")) {
      for (Path file : found) {
        if (OwnFiles.isOwn(file, OwnFiles.Kind.REGULAR, own)
            && Files.getLastModifiedTime(file).toInstant().isBefore(Instant.now().minus(AGE))) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      LOG.debug("abandoned files in {} stay: {}", FOLDER, e.toString());
    }
  }
}
