package dev.tributary.train.estimator;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.feature.FeatureSpec;
import dev.tributary.train.feature.Features;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The inputs of an exported model: the tensors that callers feed, and the features that the model
 * takes from them. Immutable.
 *
 * @param receivers the fed tensors by the names that callers use
 * @param alternatives further sets of tensors to feed, each with signatures of its own
 */
public record ServingInputReceiver(
    Batch batch,
    SortedMap<String, Output> receivers,
    Map<String, SortedMap<String, Output>> alternatives) {
  /** The name under which callers feed serialized {@code Example} messages. */
  public static final String EXAMPLES = "examples";

  /** A function that builds the inputs in the graph of an exported model. */
  @FunctionalInterface
  public interface Source {
    ServingInputReceiver apply(Ops tf);
  }

  public ServingInputReceiver {
    receivers = Collections.unmodifiableSortedMap(new TreeMap<>(receivers));
    alternatives = Collections.unmodifiableMap(new LinkedHashMap<>(alternatives));
  }

  public static ServingInputReceiver of(
      Features features, Map<String, ? extends Operand> receivers) {
    return of(Batch.of(features), receivers);
  }

  /** Returns inputs with labels, for models exported for training or evaluation. */
  public static ServingInputReceiver of(Batch batch, Map<String, ? extends Operand> receivers) {
    return new ServingInputReceiver(batch, outputs(receivers), Map.of());
  }

  private static SortedMap<String, Output> outputs(Map<String, ? extends Operand> operands) {
    SortedMap<String, Output> outputs = new TreeMap<>();
    operands.forEach((name, operand) -> outputs.put(name, operand.asOutput()));
    return outputs;
  }

  /** Adds a set of tensors that may be fed instead; its signatures begin with its name. */
  public ServingInputReceiver withAlternative(String name, Map<String, ? extends Operand> tensors) {
    Map<String, SortedMap<String, Output>> more = new LinkedHashMap<>(alternatives);
    more.put(name, outputs(tensors));
    return new ServingInputReceiver(batch, receivers, more);
  }

  /** Returns inputs of serialized {@code Example} messages, as TensorFlow Serving sends them. */
  public static Source parsing(FeatureSpec spec) {
    return tf -> {
      Output serialized =
          tf.withName("input_example_tensor").placeholder(DataType.STRING, Shape.of(-1));
      return of(spec.parse(tf, serialized), Map.of(EXAMPLES, serialized));
    };
  }

  /**
   * Returns inputs of serialized {@code Example} messages with a label, for models exported for
   * training or evaluation.
   */
  public static Source parsing(FeatureSpec spec, String label) {
    return tf -> {
      ServingInputReceiver parsed = parsing(spec).apply(tf);
      Features all = parsed.batch.features();
      return of(Batch.of(all.without(label), all.dense(label)), parsed.receivers);
    };
  }

  /**
   * Returns inputs of one tensor for each feature. Such a model has signatures of the method
   * predict only.
   *
   * @param features shapes of single examples, and types; dense ones only
   */
  public static Source raw(FeatureSpec features) {
    return tf -> {
      Features fed = Features.none();
      Map<String, Output> receivers = new TreeMap<>();
      for (var feature : features.features().entrySet()) {
        Shape one = feature.getValue().shape().orElse(Shape.of(-1));
        Output placeholder =
            tf.withName(feature.getKey())
                .placeholder(feature.getValue().type(), Shape.of(-1).concatenate(one));
        fed = fed.and(feature.getKey(), placeholder);
        receivers.put(feature.getKey(), placeholder);
      }
      return of(fed, receivers);
    };
  }
}
