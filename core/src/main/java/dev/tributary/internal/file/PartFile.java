package dev.tributary.internal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A file that appears under its name only when it is whole: it is written beside that name, and
 * {@link #commit} brings it to the disk and renames it. Closed without that, it leaves nothing
 * behind. While it is written it is locked, where the file system has locks, so that {@link
 * AbandonedParts} can tell it from one whose process was killed. Confined to one thread.
 */
public final class PartFile implements AutoCloseable {
  private final Path whole;
  private final Path part;
  private final FileChannel channel;
  private final boolean isLocked;
  private long size;

  private PartFile(Path whole, Path part, FileChannel channel, boolean isLocked) {
    this.whole = whole;
    this.part = part;
    this.channel = channel;
    this.isLocked = isLocked;
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
    Set<OpenOption> options = new HashSet<>(how);
    options.addAll(Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    try {
      Files.createDirectories(target.getParent());
      Optional<PartFile> file = Optional.empty();
      while (file.isEmpty()) {
        file = begun(whole, AbandonedParts.newPart(target), options);
      }
      return file.get();
    } catch (IOException e) {
      throw FileFailure.of("write", whole, e);
    }
  }

  /** A new file; nothing if it was taken for an abandoned one before it could be locked. */
  private static Optional<PartFile> begun(Path whole, Path part, Set<OpenOption> options)
      throws IOException {
    FileChannel channel = null;
    Optional<PartFile> file = Optional.empty();
    try {
      channel = FileChannel.open(part, options);
      Lock lock = lock(channel, part);
      if (lock == Lock.UNKNOWN || (lock == Lock.TAKEN && Files.exists(part))) {
        file = Optional.of(new PartFile(whole, part, channel, lock == Lock.TAKEN));
      }
      return file;
    } finally {
      if (file.isEmpty()) {
        if (channel != null) {
          channel.close();
        }
        // A system that cannot open a file as it is asked to may have made it nevertheless.
        Files.deleteIfExists(part);
        AbandonedParts.release(part);
      }
    }
  }

  private enum Lock {
    TAKEN,
    /** Another process has it, and is about to remove the file. */
    REFUSED,
    /** There are no locks here: others must guess by its age whether someone writes the file. */
    UNKNOWN
  }

  private static Lock lock(FileChannel channel, Path part) {
    if (part.getFileSystem() != FileSystems.getDefault()) {
      return Lock.UNKNOWN;
    }
    try {
      return channel.tryLock() == null ? Lock.REFUSED : Lock.TAKEN;
    } catch (IOException e) {
      return Lock.UNKNOWN;
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

  /** Returns how many bytes were written so far. */
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
      if (!isLocked) {
        // Archives as file systems have no file to rename before it is closed.
        channel.close();
      }
      Files.move(part, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      channel.close();
    } catch (IOException e) {
      throw FileFailure.of("write", whole, e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(part);
      channel.close();
    } catch (IOException e) {
      throw FileFailure.of("remove", part, e);
    } finally {
      AbandonedParts.release(part);
    }
  }
}
