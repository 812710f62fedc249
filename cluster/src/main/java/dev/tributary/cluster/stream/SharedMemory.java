package dev.tributary.cluster.stream;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The rings of a connection, one for each way, in a file that never gets to a disk. Who connects
 * makes it; who is connected to maps it and removes its name, so that nothing of it outlives the
 * two processes.
 */
record SharedMemory(Path file, SharedRing requests, SharedRing answers) {
  private static final Path FOLDER = Path.of("/dev/shm");
  private static final String PREFIX = "tributary-";

  /** New memory that only this user may open; empty where there is none, as sockets do as well. */
  static Optional<SharedMemory> create() {
    if (!Files.isDirectory(FOLDER)) {
      return Optional.empty();
    }
    try {
      Path file = Files.createTempFile(FOLDER, PREFIX, "");
      try {
        return Optional.of(map(file));
      } catch (IOException e) {
        Files.delete(file);
        throw e;
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Maps what somebody else made, and removes its name. */
  static SharedMemory take(Path file) throws IOException {
    requireOurs(file);
    SharedMemory memory = map(file);
    memory.dropName();
    return memory;
  }

  /** From then on it lives as long as it is mapped. */
  void dropName() throws IOException {
    Files.deleteIfExists(file);
  }

  private static void requireOurs(Path file) throws IOException {
    if (!FOLDER.equals(file.getParent()) || !file.getFileName().toString().startsWith(PREFIX)) {
      throw new IOException("malformed: shared memory at " + file);
    }
  }

  private static SharedMemory map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new SharedMemory(
          file,
          new SharedRing(channel.map(MapMode.READ_WRITE, 0, SharedRing.BYTES)),
          new SharedRing(channel.map(MapMode.READ_WRITE, SharedRing.BYTES, SharedRing.BYTES)));
    }
  }
}
