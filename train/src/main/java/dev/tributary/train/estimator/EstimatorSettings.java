package dev.tributary.train.estimator;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that all estimators have. Immutable, but for the temporary folder that an estimator
 * without one gets when it is first used; its own monitor guards that.
 */
final class EstimatorSettings {
  private static final Logger LOG = LoggerFactory.getLogger(EstimatorSettings.class);

  private final RunConfig config;
  private final Optional<Path> modelDir;
  private final Map<String, Object> params;
  private final Optional<WarmStart> warmStart;

  @GuardedBy("this")
  private Optional<Path> temporary = Optional.empty();

  private EstimatorSettings(
      RunConfig config,
      Optional<Path> modelDir,
      Map<String, Object> params,
      Optional<WarmStart> warmStart) {
    this.config = config;
    this.modelDir = modelDir;
    this.params = Map.copyOf(params);
    this.warmStart = warmStart;
    if (modelDir.isPresent()
        && config.modelDir().isPresent()
        && !modelDir.equals(config.modelDir())) {
      throw TributaryException.invalidArgument(
          "the estimator's folder is %s, but that of its config %s; set one of them",
          modelDir.get(), config.modelDir().get());
    }
    requireName(modelDir.or(config::modelDir));
  }

  private static void requireName(Optional<Path> folder) {
    if (folder.isPresent() && folder.get().toString().isEmpty()) {
      throw TributaryException.invalidArgument("the name of the model's folder is empty");
    }
  }

  static EstimatorSettings defaults() {
    return new EstimatorSettings(
        RunConfig.defaults(), Optional.empty(), Map.of(), Optional.empty());
  }

  EstimatorSettings withModelDir(Path folder) {
    return new EstimatorSettings(config, Optional.of(folder), params, warmStart);
  }

  EstimatorSettings withConfig(RunConfig newConfig) {
    return new EstimatorSettings(newConfig, modelDir, params, warmStart);
  }

  EstimatorSettings withParams(Map<String, ?> newParams) {
    Map<String, Object> copy = new HashMap<>(newParams);
    return new EstimatorSettings(config, modelDir, copy, warmStart);
  }

  EstimatorSettings withWarmStart(WarmStart newWarmStart) {
    Objects.requireNonNull(newWarmStart, "warmStart");
    return new EstimatorSettings(config, modelDir, params, Optional.of(newWarmStart));
  }

  RunConfig config() {
    return config;
  }

  Map<String, Object> params() {
    return params;
  }

  Optional<WarmStart> warmStart() {
    return warmStart;
  }

  Path modelDir() {
    return modelDir
        .or(config::modelDir)
        .or(config.task()::modelDir)
        .orElseGet(this::temporaryFolder);
  }

  private synchronized Path temporaryFolder() {
    if (temporary.isEmpty()) {
      try {
        temporary = Optional.of(Files.createTempDirectory("tributary-estimator"));
      } catch (IOException e) {
        throw FileFailure.of("make a model's folder", Path.of("tributary-estimator"), e);
      }
      LOG.warn("the estimator has no folder, its model goes to {}", temporary.get());
    }
    return temporary.get();
  }
}
