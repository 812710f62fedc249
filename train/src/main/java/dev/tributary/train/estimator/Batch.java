package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.DatasetIterator;
import dev.tributary.train.data.Examples;
import dev.tributary.train.data.Pair;
import dev.tributary.train.feature.Features;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A batch of features, and of labels if there are any, in a graph. Immutable.
 *
 * @see InputFunction
 */
public final class Batch {
  /** The name of a feature that has none of its own. */
  static final String ONLY_FEATURE = "feature";

  private static final String ONLY_LABEL = "";

  private final Features features;
  private final SortedMap<String, Output> labels;
  private final Optional<Operation> initializer;

  private Batch(
      Features features, SortedMap<String, Output> labels, Optional<Operation> initializer) {
    this.features = features;
    this.labels = Collections.unmodifiableSortedMap(labels);
    this.initializer = initializer;
  }

  /** Returns a batch without labels. */
  public static Batch of(Features features) {
    return new Batch(features, Collections.emptySortedMap(), Optional.empty());
  }

  public static Batch of(Features features, Operand labels) {
    return of(features, Map.of(ONLY_LABEL, labels));
  }

  /** Returns a batch with several labels by name. */
  public static Batch of(Features features, Map<String, ? extends Operand> labels) {
    SortedMap<String, Output> outputs = new TreeMap<>();
    labels.forEach((name, label) -> outputs.put(name, label.asOutput()));
    return new Batch(features, outputs, Optional.empty());
  }

  /**
   * Adds an iterator of a dataset, and returns its next batch. Elements are {@link Examples} or one
   * tensor, or a {@link Pair} of these and of labels: one tensor, or several as {@link Examples}.
   */
  public static Batch of(Ops tf, Dataset<?> dataset) {
    DatasetIterator<?> iterator = dataset.initializableIterator(tf);
    Batch batch = ofElement(dataset, iterator.next());
    return new Batch(batch.features, batch.labels, Optional.of(iterator.initializer()));
  }

  private static Batch ofElement(Dataset<?> dataset, Object element) {
    if (element instanceof Pair<?, ?> pair) {
      Features features = features(dataset, pair.first());
      if (pair.second() instanceof Output label) {
        return of(features, label);
      }
      if (pair.second() instanceof Examples labels) {
        SortedMap<String, Output> named = new TreeMap<>();
        labels.names().forEach(name -> named.put(name, labels.get(name)));
        return of(features, named);
      }
      throw wrong(dataset, "labels are one tensor or Examples", pair.second());
    }
    return of(features(dataset, element));
  }

  private static Features features(Dataset<?> dataset, Object part) {
    if (part instanceof Examples examples) {
      return Features.of(examples);
    }
    if (part instanceof Output output) {
      return Features.none().and(ONLY_FEATURE, output);
    }
    throw wrong(dataset, "features are Examples or one tensor, with labels in a Pair", part);
  }

  private static TributaryException wrong(Dataset<?> dataset, String wanted, Object got) {
    return TributaryException.invalidArgument(
        "the input %s gives a %s: %s", dataset, got.getClass().getSimpleName(), wanted);
  }

  /** Returns this batch with other features, such as the parsed form of its own. */
  public Batch withFeatures(Features newFeatures) {
    return new Batch(newFeatures, labels, initializer);
  }

  /** Returns this batch with a label. */
  public Batch withLabels(Operand label) {
    SortedMap<String, Output> one = new TreeMap<>(Map.of(ONLY_LABEL, label.asOutput()));
    return new Batch(features, one, initializer);
  }

  Batch withoutLabels() {
    return new Batch(features, Collections.emptySortedMap(), initializer);
  }

  public Features features() {
    return features;
  }

  public boolean hasLabels() {
    return !labels.isEmpty();
  }

  /** Returns the labels, if they are one tensor. FAILED_PRECONDITION if the input has none. */
  public Output labels() {
    if (!hasLabels()) {
      throw TributaryException.failedPrecondition(
          "the model needs labels, but the input has none; return a dataset of pairs of features"
              + " and labels");
    }
    Output only = labels.get(ONLY_LABEL);
    if (only == null) {
      throw TributaryException.failedPrecondition(
          "the input has labels by name, %s: ask for one of them", labels.keySet());
    }
    return only;
  }

  /** Returns a label by name. NOT_FOUND lists those that exist. */
  public Output labels(String name) {
    Output found = labels.get(name);
    if (found == null) {
      throw TributaryException.notFound("no labels '%s'; the input has %s", name, labels.keySet());
    }
    return found;
  }

  /** Returns the operation that begins the input, to be run for each session. */
  Optional<Operation> initializer() {
    return initializer;
  }
}
