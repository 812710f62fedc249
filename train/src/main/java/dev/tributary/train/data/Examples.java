package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.SparseTensor;
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
  /** An {@link Output} or a {@link SparseTensor} for each name. */
  private final SortedMap<String, Object> features;

  private Examples(SortedMap<String, Object> features) {
    this.features = Collections.unmodifiableSortedMap(features);
  }

  public static Examples of(String name, Operand feature) {
    return of(Map.of(name, feature));
  }

  public static Examples of(Map<String, ? extends Operand> features) {
    SortedMap<String, Object> outputs = new TreeMap<>();
    features.forEach((name, feature) -> outputs.put(name, feature.asOutput()));
    return new Examples(outputs);
  }

  /** Examples whose features are outputs and sparse tensors. */
  static Examples ofParts(Map<String, ?> parts) {
    return new Examples(new TreeMap<>(parts));
  }

  /** The same with one feature more, or another one of this name. */
  public Examples and(String name, Operand feature) {
    return with(name, feature.asOutput());
  }

  /** The same with one sparse feature more, or another one of this name. */
  public Examples and(String name, SparseTensor feature) {
    return with(name, feature);
  }

  private Examples with(String name, Object feature) {
    SortedMap<String, Object> more = new TreeMap<>(features);
    more.put(name, feature);
    return new Examples(more);
  }

  /** The same with one feature less; NOT_FOUND if there is none of this name. */
  public Examples without(String name) {
    part(name);
    SortedMap<String, Object> fewer = new TreeMap<>(features);
    fewer.remove(name);
    return new Examples(fewer);
  }

  public Output get(String name) {
    if (part(name) instanceof Output feature) {
      return feature;
    }
    throw TributaryException.invalidArgument(
        "feature '%s' is sparse: ask for sparse(\"%s\")", name, name);
  }

  /** A feature of which each example has any number of values. */
  public SparseTensor sparse(String name) {
    if (part(name) instanceof SparseTensor feature) {
      return feature;
    }
    throw TributaryException.invalidArgument(
        "feature '%s' is not sparse: ask for get(\"%s\")", name, name);
  }

  Object part(String name) {
    Object feature = features.get(Objects.requireNonNull(name, "name"));
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
