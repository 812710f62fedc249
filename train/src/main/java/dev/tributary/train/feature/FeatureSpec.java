package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.ops.ExampleFeatures;
import dev.tributary.ops.Ops;
import dev.tributary.ops.ParsedExamples;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Value;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The features that {@code Example} messages hold: what TensorFlow's {@code
 * make_parse_example_spec} returns. Immutable.
 *
 * <pre>{@code
 * FeatureSpec spec = FeatureSpec.of(columns).withFixed("label", DataType.INT64, Shape.of(1));
 * Features parsed = spec.parse(tf, serializedExamples);
 * }</pre>
 */
public final class FeatureSpec {
  private static final FeatureSpec NONE = new FeatureSpec(Collections.emptySortedMap());

  private final SortedMap<String, Feature> features;

  /**
   * One feature.
   *
   * @param shape the shape of a feature that becomes dense; empty for one with any number of
   *     values, which becomes sparse
   * @param defaultValue the value of examples that lack a dense feature; empty if each must have it
   */
  public record Feature(DataType type, Optional<Shape> shape, Optional<Value> defaultValue) {}

  private FeatureSpec(SortedMap<String, Feature> features) {
    this.features = Collections.unmodifiableSortedMap(features);
  }

  public static FeatureSpec none() {
    return NONE;
  }

  /** Returns the features that columns need. Columns that want one feature in two ways fail. */
  public static FeatureSpec of(Iterable<? extends FeatureColumn> columns) {
    FeatureSpec all = NONE;
    for (FeatureColumn column : columns) {
      for (var feature : column.featureSpec().features.entrySet()) {
        all = all.with(feature.getKey(), feature.getValue());
      }
    }
    return all;
  }

  /** Adds a dense feature that each example must have. */
  public FeatureSpec withFixed(String key, DataType type, Shape shape) {
    return with(key, new Feature(type, Optional.of(shape), Optional.empty()));
  }

  /**
   * Adds a dense feature.
   *
   * @param defaultValue the value of examples that lack the feature
   */
  public FeatureSpec withFixed(String key, DataType type, Shape shape, Value defaultValue) {
    return with(key, new Feature(type, Optional.of(shape), Optional.of(defaultValue)));
  }

  /** Adds a feature with any number of values. */
  public FeatureSpec withVarying(String key, DataType type) {
    return with(key, new Feature(type, Optional.empty(), Optional.empty()));
  }

  private FeatureSpec with(String key, Feature feature) {
    Feature known = features.get(Objects.requireNonNull(key, "key"));
    if (known != null && !same(known, feature)) {
      throw TributaryException.invalidArgument(
          "feature '%s' is wanted as %s and as %s; all columns must read it in the same way",
          key, text(known), text(feature));
    }
    SortedMap<String, Feature> more = new TreeMap<>(features);
    more.put(key, feature);
    return new FeatureSpec(more);
  }

  private static boolean same(Feature a, Feature b) {
    return a.type == b.type
        && a.shape.equals(b.shape)
        && a.defaultValue
            .map(FeatureSpec::elements)
            .equals(b.defaultValue.map(FeatureSpec::elements));
  }

  private static List<?> elements(Value value) {
    return value.type() == DataType.STRING
        ? List.of(value.toStrings())
        : List.of(ByteBuffer.wrap(value.toBytes()));
  }

  private static String text(Feature feature) {
    String type = feature.type.lowerName();
    return feature.shape.map(shape -> "dense " + type + " " + shape).orElse("sparse " + type);
  }

  /** Returns all features by key, in alphabetical order. */
  public SortedMap<String, Feature> features() {
    return features;
  }

  /** Adds operations that parse a vector of serialized {@code Example} messages. */
  public Features parse(Ops tf, Operand serialized) {
    ExampleFeatures wanted = ExampleFeatures.none();
    for (var entry : features.entrySet()) {
      wanted = added(wanted, entry.getKey(), entry.getValue());
    }
    ParsedExamples parsed = tf.io.parseExample(serialized, wanted);
    Features result = Features.none();
    for (var entry : features.entrySet()) {
      String key = entry.getKey();
      result =
          entry.getValue().shape.isPresent()
              ? result.and(key, parsed.dense(key))
              : result.and(key, parsed.sparse(key));
    }
    return result;
  }

  private static ExampleFeatures added(ExampleFeatures all, String key, Feature feature) {
    if (feature.shape.isEmpty()) {
      return all.varying(key, feature.type);
    }
    Shape shape = feature.shape.get();
    return feature
        .defaultValue
        .map(value -> all.fixed(key, feature.type, shape, value))
        .orElseGet(() -> all.fixed(key, feature.type, shape));
  }

  @Override
  public String toString() {
    return "FeatureSpec " + features.keySet();
  }
}
