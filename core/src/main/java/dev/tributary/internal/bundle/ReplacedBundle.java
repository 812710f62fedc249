package dev.tributary.internal.bundle;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A checkpoint that is about to be replaced by a new one of the same name. Several files cannot be
 * replaced at once, so the old ones get second names, {@code P.replaced.index} and so on, until the
 * new checkpoint is complete: a process that is killed in between leaves one of the two. On file
 * systems without hard links, a kill between the first and the last renaming leaves neither.
 * Confined to one thread.
 */
final class ReplacedBundle {
  private static final Logger LOG = LoggerFactory.getLogger(ReplacedBundle.class);
  private static final String SUFFIX = ".replaced";

  private final Path prefix;

  private ReplacedBundle(Path prefix) {
    this.prefix = prefix;
  }

  /** Returns where the checkpoint of this prefix is while it is replaced. */
  static Path prefixFor(Path prefix) {
    return BundleFiles.withSuffix(prefix, SUFFIX);
  }

  /** The name without the suffix, or the very name. */
  static String original(String name) {
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
  }

  /** Takes the name from the checkpoint that has it, if there is one. */
  static ReplacedBundle withdraw(FileRoot files, Path prefix) {
    ReplacedBundle replaced = new ReplacedBundle(prefixFor(prefix));
    if (Files.exists(BundleFiles.index(prefix))) {
      replaced.linkTo(files, prefix);
      try {
        // Else the old index would stand for a while beside the new data.
        Files.delete(BundleFiles.index(prefix));
      } catch (IOException e) {
        throw FileFailure.of("replace checkpoint", prefix, e);
      }
    }
    return replaced;
  }

  /** Removes what was kept of a replaced checkpoint, when the new one is whole. */
  static void forget(Path prefix) {
    new ReplacedBundle(prefixFor(prefix)).delete();
  }

  private void linkTo(FileRoot files, Path original) {
    delete();
    try {
      int shards = BundleIndex.read(files, original).shards();
      for (int i = 0; i < shards; i++) {
        Files.createLink(
            BundleFiles.data(prefix, i, shards), BundleFiles.data(original, i, shards));
      }
      Files.createLink(BundleFiles.index(prefix), BundleFiles.index(original));
    } catch (IOException | UnsupportedOperationException | TributaryException e) {
      LOG.debug("checkpoint {} is replaced without keeping it in the meantime", original, e);
      delete();
    }
  }

  /** Removes the second names, the index first: without it the rest is not a checkpoint. */
  void delete() {
    Path folder = prefix.toAbsolutePath().getParent();
    String name = prefix.getFileName().toString();
    try {
      Files.deleteIfExists(BundleFiles.index(prefix));
      try (DirectoryStream<Path> shards =
          Files.newDirectoryStream(
              folder, file -> BundleFiles.isData(file.getFileName().toString(), name))) {
        for (Path shard : shards) {
          Files.deleteIfExists(shard);
        }
      }
    } catch (IOException e) {
      throw FileFailure.of("delete replaced checkpoint", prefix, e);
    }
  }
}
