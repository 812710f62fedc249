package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Value;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of an evaluation. Immutable.
 *
 * @param globalStep the step of the evaluated model
 * @param metrics all metrics by name, {@code loss} among them
 * @param checkpoint the evaluated checkpoint; empty for a model that was never trained
 */
public record Evaluation(
    long globalStep, SortedMap<String, Value> metrics, Optional<Path> checkpoint) {
  public Evaluation {
    metrics = Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
  }

  /** Returns a metric that is one number. NOT_FOUND lists those that exist. */
  public double metric(String name) {
    Value value = metrics.get(name);
    if (value == null) {
      throw TributaryException.notFound("no metric '%s'; there are %s", name, metrics.keySet());
    }
    return number(value);
  }

  /** Returns the options to export the evaluated model. */
  ExportOptions exportedBy(ExportOptions options) {
    return checkpoint.map(options::withCheckpoint).orElse(options);
  }

  static double number(Value value) {
    return switch (value.type()) {
      case DOUBLE -> value.doubleValue();
      case INT64 -> value.longValue();
      case INT32 -> value.intValue();
      default -> value.floatValue();
    };
  }

  /** Returns the mean loss of the batches. */
  public double loss() {
    return metric(EstimatorSpec.LOSS);
  }
}
