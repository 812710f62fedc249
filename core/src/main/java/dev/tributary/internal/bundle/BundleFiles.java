package dev.tributary.internal.bundle;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of a checkpoint, by its prefix. */
public final class BundleFiles {
  static final String INDEX = ".index";

  private static final Pattern DATA = Pattern.compile("(.+)\\.data-\\d{5}-of-\\d{5}");

  private BundleFiles() {}

  public static Path index(Path prefix) {
    return withSuffix(prefix, INDEX);
  }

  public static Path data(Path prefix, int shard, int shards) {
    return withSuffix(prefix, String.format(Locale.ROOT, ".data-%05d-of-%05d", shard, shards));
  }

  /** Returns whether the file is a shard of a checkpoint of that name, which has no folders. */
  public static boolean isData(String fileName, String checkpoint) {
    return dataOf(fileName).filter(checkpoint::equals).isPresent();
  }

  /** The name of the checkpoint of which the file is a shard. */
  static Optional<String> dataOf(String fileName) {
    Matcher matcher = DATA.matcher(fileName);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** The prefix and {@code suffix}, in the same folder. */
  public static Path withSuffix(Path prefix, String suffix) {
    return Path.of(prefix + suffix);
  }
}
