package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An element with named parts: one example or, behind {@code batch}, a batch of them. Immutable.
 *
 * <pre>{@code
 * Examples.of("image", pixels).and("label", digit)
 * }</pre>
 */
public final class Examples {
  private final SortedMap<String, Output> features;

  private Examples(SortedMap<String, Output> features) {
    this.features = Collections.unmodifiableSortedMap(features);
  }

  public static Examples of(String name, Operand feature) {
    return of(Map.of(name, feature));
  }

  public static Examples of(Map<String, ? extends Operand> features) {
    SortedMap<String, Output> outputs = new TreeMap<>();
    features.forEach((name, feature) -> outputs.put(name, feature.asOutput()));
    return new Examples(outputs);
  }

  /** The same with one feature more, or another one of this name. */
  public Examples and(String name, Operand feature) {
    SortedMap<String, Output> more = new TreeMap<>(features);
    more.put(name, feature.asOutput());
    return new Examples(more);
  }

  public Output get(String name) {
    Output feature = features.get(Objects.requireNonNull(name, "name"));
    if (feature == null) {
      throw TributaryException.notFound("no feature '%s'; there are %s", name, features.keySet());
    }
    return feature;
  }

  /** The names in the order of the components, which is alphabetical. */
  public Collection<String> names() {
    return features.keySet();
  }

  @Override
  public String toString() {
    return features.toString();
  }
}
