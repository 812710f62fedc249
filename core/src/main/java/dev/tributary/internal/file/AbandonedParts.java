package dev.tributary.internal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes part files whose writers were killed. A {@link PartFile} holds a lock that ends with its
 * process, however that ends, so one that can be locked has no writer. Locks say nothing about part
 * files of stock TensorFlow and of older versions, and on some file systems nothing about writers
 * on other machines; there a file has no writer if nothing was written to it for {@link #SILENCE}.
 * Safe for many threads and processes.
 */
public final class AbandonedParts {
  /** Long enough for a writer that is suspended, or waits for its disk. */
  public static final Duration SILENCE = Duration.ofMinutes(10);

  private static final Logger LOG = LoggerFactory.getLogger(AbandonedParts.class);
  private static final Pattern LOCKED = Pattern.compile(".+\\.tempstate-[0-9a-f]{16}");
  private static final Pattern NONE = Pattern.compile("(?!)");
  private static final Pattern ANY = Pattern.compile(".+\\.tempstate(-?\\d{1,20}|-[0-9a-f]{16})");

  /**
   * The names of the part files of this process. They must not even be opened here: on POSIX
   * systems, a process loses its lock of a file when it closes any channel of that file.
   */
  private static final Set<String> OWN = ConcurrentHashMap.newKeySet();

  private AbandonedParts() {}

  /** A name for a part file, which is this process's own until it is released. */
  static Path newPart(Path whole) {
    String random = String.format("%016x", UUID.randomUUID().getLeastSignificantBits());
    String name = whole.getFileName() + ".tempstate-" + random;
    OWN.add(name);
    return whole.resolveSibling(name);
  }

  static void release(Path part) {
    OWN.remove(part.getFileName().toString());
  }

  /** Returns whether a file has the name of a part file, abandoned or not. */
  public static boolean isPart(Path file) {
    return ANY.matcher(file.getFileName().toString()).matches();
  }

  /**
   * Removes the part files of a folder, but not of folders in it, which are not locked, whatever
   * their age. To be called only if no other machine can be writing here for a living process. A
   * file that cannot be removed is left.
   *
   * @return what was removed
   */
  public static List<Path> remove(Path folder) {
    return remove(folder, LOCKED);
  }

  /** The same, but only of those to which nothing was written for {@link #SILENCE}. */
  public static List<Path> removeOld(Path folder) {
    return remove(folder, NONE);
  }

  private static List<Path> remove(Path folder, Pattern ofAnyAge) {
    List<Path> removed = new ArrayList<>();
    try (DirectoryStream<Path> parts =
        Files.newDirectoryStream(folder, AbandonedParts::isRegularPart)) {
      for (Path part : parts) {
        if (isRemoved(part, ofAnyAge)) {
          removed.add(part);
        }
      }
    } catch (NoSuchFileException e) {
      LOG.debug("no folder {} to look for abandoned files in", folder);
    } catch (IOException e) {
      throw FileFailure.of("look for abandoned files in", folder, e);
    }
    return removed;
  }

  private static boolean isRegularPart(Path file) {
    return isPart(file) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isRemoved(Path part, Pattern ofAnyAge) {
    String name = part.getFileName().toString();
    if (OWN.contains(name)) {
      return false;
    }
    try {
      if (!ofAnyAge.matcher(name).matches() && !isSilent(part)) {
        return false;
      }
      try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
        // Deleted under the lock, so that no writer can begin with it in between.
        return isUnlocked(channel, part) && Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      LOG.debug("{} is left, since it cannot be looked at", part, e);
      return false;
    }
  }

  private static boolean isUnlocked(FileChannel channel, Path part) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    } catch (IOException e) {
      LOG.debug("no locks for {}, its age decides", part, e);
      return isSilent(part);
    }
  }

  private static boolean isSilent(Path part) throws IOException {
    return Files.getLastModifiedTime(part).toInstant().isBefore(Instant.now().minus(SILENCE));
  }
}
