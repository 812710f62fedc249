package dev.tributary.train.savedmodel;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A signature of a model that is to be saved: outputs of its graph by the names that callers use.
 * Immutable.
 *
 * <pre>{@code
 * SignatureDef predict = SignatureDef.predict().withInput("x", x).withOutput("y", y);
 * }</pre>
 *
 * @param methodName the kind of the signature, which servers may check
 */
public record SignatureDef(
    String methodName, Map<String, Output> inputs, Map<String, Output> outputs) {
  /** The method of signatures that take and give any tensors. */
  public static final String PREDICT = "tensorflow/serving/predict";

  /** The method of signatures from {@code inputs} to {@code classes} and {@code scores}. */
  public static final String CLASSIFY = "tensorflow/serving/classify";

  /** The method of signatures from {@code inputs} to {@code outputs}. */
  public static final String REGRESS = "tensorflow/serving/regress";

  /** The method of the signature of a meta graph for training. */
  public static final String TRAINING = "tensorflow/supervised/training";

  /** The method of the signature of a meta graph for evaluation. */
  public static final String EVALUATION = "tensorflow/supervised/eval";

  public SignatureDef {
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
  }

  /** A signature of any tensors, without inputs and outputs yet. */
  public static SignatureDef predict() {
    return new SignatureDef(PREDICT, Map.of(), Map.of());
  }

  public SignatureDef withMethodName(String name) {
    return new SignatureDef(name, inputs, outputs);
  }

  /** Adds an input, which is fed: a placeholder as a rule. */
  public SignatureDef withInput(String key, Operand operand) {
    return new SignatureDef(methodName, and(inputs, key, operand), outputs);
  }

  public SignatureDef withOutput(String key, Operand operand) {
    return new SignatureDef(methodName, inputs, and(outputs, key, operand));
  }

  private static Map<String, Output> and(Map<String, Output> map, String key, Operand operand) {
    Map<String, Output> more = new LinkedHashMap<>(map);
    more.put(key, operand.asOutput());
    return more;
  }
}
