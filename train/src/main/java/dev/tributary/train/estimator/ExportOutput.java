package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The outputs of one signature of an exported model. Immutable. */
public sealed interface ExportOutput {
  /** Returns a signature with any outputs. */
  static ExportOutput predict(Map<String, ? extends Operand> outputs) {
    SortedMap<String, Output> all = new TreeMap<>();
    outputs.forEach((key, output) -> all.put(key, output.asOutput()));
    return new Predict(all);
  }

  /**
   * Returns a signature of scores and names of classes.
   *
   * @param scores floats, [batch, classes]
   * @param classes strings, [batch, classes]
   */
  static ExportOutput classification(Operand scores, Operand classes) {
    if (classes.asOutput().type() != DataType.STRING) {
      throw TributaryException.invalidArgument(
          "the classes of a classification output must be strings, got %s",
          classes.asOutput().type().lowerName());
    }
    return new Classification(Optional.of(scores.asOutput()), Optional.of(classes.asOutput()));
  }

  /** Returns a signature of one number or more for each example. */
  static ExportOutput regression(Operand value) {
    if (!value.asOutput().type().isFloating()) {
      throw TributaryException.invalidArgument(
          "the value of a regression output must be floats, got %s",
          value.asOutput().type().lowerName());
    }
    return new Regression(value.asOutput());
  }

  /** A signature of TensorFlow Serving's method {@code predict}. */
  record Predict(Map<String, Output> outputs) implements ExportOutput {
    public Predict {
      outputs = Collections.unmodifiableMap(new TreeMap<>(outputs));
    }
  }

  /** A signature of TensorFlow Serving's method {@code classify}. */
  record Classification(Optional<Output> scores, Optional<Output> classes)
      implements ExportOutput {}

  /** A signature of TensorFlow Serving's method {@code regress}. */
  record Regression(Output value) implements ExportOutput {}
}
