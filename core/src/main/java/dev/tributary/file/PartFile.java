package dev.tributary.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * A file that appears under its name only when it is whole: it is written beside that name, and
 * {@link #commit} brings it to the disk and renames it. Closed without that, it leaves nothing
 * behind. Confined to one thread.
 */
public final class PartFile implements AutoCloseable {
  private final Path whole;
  private final Path part;
  private final FileChannel channel;
  private long size;

  private PartFile(Path whole, Path part, FileChannel channel) {
    this.whole = whole;
    this.part = part;
    this.channel = channel;
  }

  /** Begins a file, in a folder that is made if there is none. */
  public static PartFile create(Path whole) {
    return create(whole, Set.of());
  }

  /**
   * @param how how to open it, beside that it is new and written; what the system does not know is
   *     an {@link UnsupportedOperationException}
   */
  static PartFile create(Path whole, Set<? extends OpenOption> how) {
    Path target = whole.toAbsolutePath();
    Path part =
        target.resolveSibling(
            target.getFileName() + ".tempstate" + UUID.randomUUID().getLeastSignificantBits());
    try {
      Files.createDirectories(target.getParent());
      Set<OpenOption> options = new HashSet<>(how);
      options.addAll(Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
      return new PartFile(whole, part, FileChannel.open(part, options));
    } catch (IOException e) {
      // A system that cannot open a file as it is asked to may have made it nevertheless.
      part.toFile().delete();
      throw FileFailure.of("write", whole, e);
    }
  }

  /** Writes a whole file in one go. */
  public static void write(Path whole, byte[] content) {
    try (PartFile file = create(whole)) {
      file.write(ByteBuffer.wrap(content));
      file.commit();
    }
  }

  public Path path() {
    return whole;
  }

  /** How many bytes were written so far. */
  public long size() {
    return size;
  }

  /** Appends all that remains in the buffer. */
  public void write(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        size += channel.write(bytes);
      }
    } catch (IOException e) {
      throw FileFailure.of("write", whole, e);
    }
  }

  /** Brings what was written to the disk, so that {@link #commit} has little left to do. */
  public void sync() {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw FileFailure.of("write", whole, e);
    }
  }

  /** Takes what was written last away again. */
  void truncate(long newSize) {
    try {
      channel.truncate(newSize);
      size = newSize;
    } catch (IOException e) {
      throw FileFailure.of("write", whole, e);
    }
  }

  /** Gives the file its name, in place of any other of that name. */
  public void commit() {
    try {
      channel.force(true);
      channel.close();
      Files.move(part, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw FileFailure.of("write", whole, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(part);
    } catch (IOException e) {
      throw FileFailure.of("remove", part, e);
    }
  }
}
