package dev.tributary.bundle;

import java.nio.file.Path;
import java.util.Locale;

/** The files of a checkpoint, by its prefix. */
public final class BundleFiles {
  private static final String INDEX = ".index";

  private BundleFiles() {}

  public static Path index(Path prefix) {
    return withSuffix(prefix, INDEX);
  }

  public static Path data(Path prefix, int shard, int shards) {
    return withSuffix(prefix, String.format(Locale.ROOT, ".data-%05d-of-%05d", shard, shards));
  }

  /** The prefix and {@code suffix}, in the same folder. */
  public static Path withSuffix(Path prefix, String suffix) {
    return Path.of(prefix + suffix);
  }
}
