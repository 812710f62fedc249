package dev.tributary.train.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock that keeps a second chief out of a folder: two would overwrite each other's checkpoints.
 * It ends with the process, even if that is killed.
 */
final class LogdirLock implements AutoCloseable {
  private static final String FILE_NAME = ".chief.lock";

  /**
   * The folders that this process has locked. Their lock files must not be opened again: on POSIX
   * systems, a process loses its lock of a file when it closes any channel of that file.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel file;

  private LogdirLock(Path folder, FileChannel file) {
    this.folder = folder;
    this.file = file;
  }

  static LogdirLock take(Path logdir) {
    Path path = logdir.resolve(FILE_NAME);
    try {
      Files.createDirectories(logdir);
      Path folder = logdir.toRealPath();
      if (OWN.add(folder)) {
        boolean isLocked = false;
        try {
          FileChannel file =
              FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          isLocked = isLocked(file);
          if (isLocked) {
            return new LogdirLock(folder, file);
          }
          file.close();
        } finally {
          if (!isLocked) {
            OWN.remove(folder);
          }
        }
      }
    } catch (IOException e) {
      throw FileFailure.of("take the folder for a chief", path, e);
    }
    throw new TributaryException(
        ErrorCode.ALREADY_EXISTS,
        "another chief writes to " + logdir + "; stop it, or give this one another logdir");
  }

  private static boolean isLocked(FileChannel file) throws IOException {
    try {
      FileLock lock = file.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new TributaryException(ErrorCode.INTERNAL, "a lock was not given back: " + e, e);
    } finally {
      OWN.remove(folder);
    }
  }
}
