package dev.tributary.internal.bundle;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.AbandonedParts;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what saves left behind that were interrupted by the end of a process:
 *
 * <ul>
 *   <li>part files, see {@link AbandonedParts};
 *   <li>folders {@code P_temp} of sharded saves, in which each task writes its part {@code
 *       part-SSSSS-of-NNNNN} before all are merged;
 *   <li>a replaced checkpoint, if the one that replaced it is intact.
 * </ul>
 *
 * The chief that owns the folder of checkpoints removes all of them before its first save: there is
 * no other save of its checkpoints then but that of a chief which is gone, and whose last save is
 * of no use. Any task that saves removes only what is older than {@link AbandonedParts#SILENCE},
 * since tasks on other machines may be writing for the same save or for another one. That is how
 * the remains go if only the tasks that save see the folder.
 *
 * <p>Completed checkpoints are never touched. Safe for many threads and processes.
 */
public final class InterruptedSaves {
  private static final Logger LOG = LoggerFactory.getLogger(InterruptedSaves.class);
  private static final Pattern FOLDER = Pattern.compile("(.+?)(-\\d+)?_temp(_[0-9a-f]+)?");
  private static final Pattern PART =
      Pattern.compile("part-\\d{5}-of-\\d{5}\\.(index|data-\\d{5}-of-\\d{5})");

  private InterruptedSaves() {}

  /**
   * Removes the remains of all interrupted saves from a folder. To be called by the one process
   * that saves checkpoints of that name there, while it saves none.
   *
   * @param basename what the names of its checkpoints begin with, without the step
   */
  public static void removeAll(Path folder, String basename) {
    List<Path> removed = new ArrayList<>(AbandonedParts.remove(folder));
    for (Path temp : folders(folder, ".+")) {
      boolean isOwn = isOf(temp, basename);
      removed.addAll(AbandonedParts.remove(temp));
      if (isOwn) {
        removed.addAll(removeParts(temp));
      }
    }
    removeReplaced(folder);
    if (!removed.isEmpty()) {
      LOG.info("removed {} of saves that were interrupted in {}", names(removed), folder);
    }
  }

  /**
   * Removes the remains of saves that ended long ago, after a save to this prefix. The save has
   * succeeded, so failures here are only logged.
   */
  static void removeOld(Path prefix) {
    Path folder = prefix.toAbsolutePath().getParent();
    try {
      List<Path> removed = new ArrayList<>(AbandonedParts.removeOld(folder));
      Instant old = Instant.now().minus(AbandonedParts.SILENCE);
      for (Path temp : folders(folder, Pattern.quote(basename(prefix)))) {
        removed.addAll(AbandonedParts.removeOld(temp));
        if (isOlder(temp, old)) {
          removed.addAll(removeParts(temp));
        }
      }
      if (!removed.isEmpty()) {
        LOG.info("removed {} of saves that were interrupted in {}", names(removed), folder);
      }
    } catch (IOException | TributaryException e) {
      LOG.warn("remains of interrupted saves in {} could not be removed: {}", folder, e.toString());
    }
  }

  /** Folders of sharded saves. */
  private static List<Path> folders(Path folder, String basename) {
    List<Path> found = new ArrayList<>();
    Pattern name = Pattern.compile(basename);
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(
            folder, entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))) {
      for (Path entry : entries) {
        Matcher matcher = FOLDER.matcher(entry.getFileName().toString());
        if (matcher.matches() && name.matcher(matcher.group(1)).matches()) {
          found.add(entry);
        }
      }
    } catch (NoSuchFileException e) {
      LOG.debug("no folder {} to look for interrupted saves in", folder);
    } catch (IOException e) {
      throw FileFailure.of("look for interrupted saves in", folder, e);
    }
    return found;
  }

  private static boolean isOf(Path temp, String basename) {
    Matcher matcher = FOLDER.matcher(temp.getFileName().toString());
    return matcher.matches() && matcher.group(1).equals(basename);
  }

  /** The prefix's name without a step. */
  private static String basename(Path prefix) {
    return CheckpointName.of(prefix).basename();
  }

  private static boolean isOlder(Path temp, Instant limit) throws IOException {
    boolean isOlder = Files.getLastModifiedTime(temp).toInstant().isBefore(limit);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(temp)) {
      for (Path file : files) {
        isOlder &= Files.getLastModifiedTime(file).toInstant().isBefore(limit);
      }
    }
    return isOlder;
  }

  /** Removes complete parts, unless a task still writes one of them, and then the folder. */
  private static List<Path> removeParts(Path temp) {
    List<Path> parts = new ArrayList<>();
    try {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(temp)) {
        for (Path file : files) {
          if (AbandonedParts.isPart(file)) {
            return List.of();
          }
          if (PART.matcher(file.getFileName().toString()).matches()) {
            parts.add(file);
          }
        }
      }
      for (Path part : parts) {
        Files.deleteIfExists(part);
      }
      Files.deleteIfExists(temp);
    } catch (DirectoryNotEmptyException e) {
      LOG.debug("{} holds files that are not of a save", temp);
    } catch (IOException e) {
      throw FileFailure.of("remove what an interrupted save left in", temp, e);
    }
    return parts;
  }

  private static void removeReplaced(Path folder) {
    for (Path prefix : CheckpointFolder.list(folder).newestFirst()) {
      Path replaced = ReplacedBundle.prefixFor(prefix);
      if (Files.exists(BundleFiles.index(replaced)) && CheckpointFolder.check(prefix).isIntact()) {
        ReplacedBundle.forget(prefix);
      }
    }
  }

  private static List<String> names(List<Path> files) {
    return files.stream().map(file -> file.getFileName().toString()).toList();
  }
}
