package dev.tributary.train.estimator;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Options of exported models. Immutable.
 *
 * @param checkpoint the exported checkpoint; the latest if empty
 * @param extraAssets further files, by their paths below {@code assets.extra}
 */
public record ExportOptions(Optional<Path> checkpoint, Map<String, Path> extraAssets) {
  public ExportOptions {
    extraAssets = Collections.unmodifiableMap(new LinkedHashMap<>(extraAssets));
  }

  public static ExportOptions defaults() {
    return new ExportOptions(Optional.empty(), Map.of());
  }

  public ExportOptions withCheckpoint(Path prefix) {
    return new ExportOptions(Optional.of(prefix), extraAssets);
  }

  /** Adds a file, such as warm-up requests of TensorFlow Serving. */
  public ExportOptions withExtraAsset(String name, Path file) {
    Map<String, Path> more = new LinkedHashMap<>(extraAssets);
    more.put(name, file);
    return new ExportOptions(checkpoint, more);
  }
}
