package dev.tributary.train.saver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.internal.bundle.CheckpointFolder;
import dev.tributary.internal.bundle.CheckpointState;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the checkpoints that were written, lists them in the {@code checkpoint} file, and
 * deletes the oldest: all but the last few, except that one of each longer time is kept for ever.
 * The file is written before anything is deleted, so that it never names what is gone, and nothing
 * is deleted unless the new checkpoint is intact. Guarded by its own monitor.
 */
final class CheckpointRetention {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointRetention.class);

  private final SaverOptions options;

  @GuardedBy("this")
  private final List<Kept> kept = new ArrayList<>();

  @GuardedBy("this")
  private Instant nextForEver;

  /** A checkpoint, and when it was written. */
  private record Kept(Path prefix, Instant written) {}

  CheckpointRetention(SaverOptions options) {
    this.options = options;
    this.nextForEver = options.clock().instant().plus(options.keepEvery());
  }

  /** Takes note of a new checkpoint, and deletes those that are too many now. */
  synchronized void add(Path prefix) {
    kept.removeIf(old -> old.prefix.equals(prefix));
    kept.add(new Kept(prefix, options.clock().instant()));
    List<Kept> tooMany = new ArrayList<>();
    boolean deletes = options.maxToKeep() > 0 && isUsable(prefix);
    while (deletes && kept.size() > options.maxToKeep()) {
      tooMany.add(kept.remove(0));
    }
    writeState(prefix);
    for (Kept old : tooMany) {
      if (old.written.isAfter(nextForEver)) {
        nextForEver = nextForEver.plus(options.keepEvery());
      } else {
        delete(old.prefix);
      }
    }
  }

  /** Takes the checkpoints of an earlier run as written by this one, the oldest first. */
  synchronized void recover(List<Path> prefixes) {
    kept.clear();
    for (Path prefix : prefixes) {
      kept.add(new Kept(prefix, written(prefix)));
    }
  }

  /** A checkpoint that only other machines can see has no time here; it was written before now. */
  private Instant written(Path prefix) {
    Path index = Files.isRegularFile(prefix) ? prefix : BundleFiles.index(prefix);
    try {
      return Files.getLastModifiedTime(index).toInstant();
    } catch (NoSuchFileException e) {
      return options.clock().instant();
    } catch (IOException e) {
      throw FileFailure.of("look at checkpoint", index, e);
    }
  }

  /** One of which nothing can be seen here was written by tasks that see other disks. */
  private static boolean isUsable(Path prefix) {
    CheckpointFolder.Checked checked = CheckpointFolder.check(prefix);
    boolean isUsable = checked.condition() != CheckpointFolder.Condition.DAMAGED;
    if (!isUsable) {
      LOG.warn(
          "checkpoint {} was written, but is not intact, so all older ones are kept: {}",
          prefix,
          checked.problem());
    }
    return isUsable;
  }

  synchronized List<Path> lastCheckpoints() {
    return kept.stream().map(Kept::prefix).toList();
  }

  /** Names are those in the folder, so that it can be moved. */
  @GuardedBy("this")
  private void writeState(Path latest) {
    Path folder = latest.toAbsolutePath().getParent();
    List<String> all =
        options.maxToKeep() == 0
            ? List.of(latest.getFileName().toString())
            : kept.stream().map(k -> nameIn(folder, k.prefix)).toList();
    new CheckpointState(latest.getFileName().toString(), all).write(folder);
  }

  private static String nameIn(Path folder, Path prefix) {
    Path absolute = prefix.toAbsolutePath();
    return folder.equals(absolute.getParent())
        ? absolute.getFileName().toString()
        : absolute.toString();
  }

  /**
   * Deletes the index first: without it, the rest is not a checkpoint any more. One of TensorFlow's
   * first version, as the graphs of its time write, is a file of this very name.
   */
  private static void delete(Path prefix) {
    Path folder = prefix.toAbsolutePath().getParent();
    String name = prefix.getFileName().toString();
    try {
      Files.deleteIfExists(BundleFiles.index(prefix));
      if (Files.isRegularFile(prefix)) {
        Files.delete(prefix);
      }
      Files.deleteIfExists(BundleFiles.withSuffix(prefix, ".meta"));
      try (DirectoryStream<Path> shards =
          Files.newDirectoryStream(
              folder, path -> BundleFiles.isData(path.getFileName().toString(), name))) {
        for (Path shard : shards) {
          Files.deleteIfExists(shard);
        }
      }
    } catch (IOException e) {
      throw FileFailure.of("delete checkpoint", prefix, e);
    }
  }
}
