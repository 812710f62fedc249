package dev.tributary.internal.bundle;

import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name of a checkpoint, {@code basename-step} or any other. */
record CheckpointName(String basename, OptionalLong step) {
  private static final Pattern WITH_STEP = Pattern.compile("(.+)-(\\d{1,18})");

  static CheckpointName of(Path prefix) {
    String name = ReplacedBundle.original(prefix.getFileName().toString());
    Matcher matcher = WITH_STEP.matcher(name);
    return matcher.matches()
        ? new CheckpointName(matcher.group(1), OptionalLong.of(Long.parseLong(matcher.group(2))))
        : new CheckpointName(name, OptionalLong.empty());
  }
}
