package dev.tributary.train.savedmodel;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.internal.tensor.JavaValues;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A function of a loaded {@link SavedModel}: named inputs, named outputs. Any number of threads may
 * call it until the model is closed.
 *
 * <pre>{@code
 * Map<String, Value> out = model.signature("serving_default").call(Map.of("x", new float[][] {{1, 2}}));
 * }</pre>
 */
public final class Signature {
  private final Session session;
  private final String name;
  private final String methodName;
  private final SortedMap<String, TensorInfo> inputs;
  private final SortedMap<String, TensorInfo> outputs;
  private final Map<String, Value> defaults;
  private final Optional<String> problem;

  /** The outputs of the graph for inputs and for outputs; none if there is a problem. */
  private final Map<String, Output> feeds;

  private final Map<String, Output> fetches;

  /**
   * @param problem the reason why the signature cannot run, if there is one
   */
  Signature(
      Session session,
      String name,
      String methodName,
      SortedMap<String, TensorInfo> inputs,
      SortedMap<String, TensorInfo> outputs,
      Map<String, Value> defaults,
      Optional<String> problem) {
    this.session = session;
    this.name = name;
    this.methodName = methodName;
    this.inputs = Collections.unmodifiableSortedMap(new TreeMap<>(inputs));
    this.outputs = Collections.unmodifiableSortedMap(new TreeMap<>(outputs));
    this.defaults = Map.copyOf(defaults);
    this.problem = problem;
    this.feeds = problem.isPresent() ? Map.of() : found(session.graph(), inputs);
    this.fetches = problem.isPresent() ? Map.of() : found(session.graph(), outputs);
  }

  private static Map<String, Output> found(Graph graph, SortedMap<String, TensorInfo> infos) {
    Map<String, Output> found = new LinkedHashMap<>();
    infos.forEach((key, info) -> found.put(key, graph.output(info.name())));
    return found;
  }

  /** The key of the signature in the model, such as {@code serving_default}. */
  public String name() {
    return name;
  }

  /** The kind of the signature, such as {@code tensorflow/serving/predict}; may be empty. */
  public String methodName() {
    return methodName;
  }

  public SortedMap<String, TensorInfo> inputs() {
    return inputs;
  }

  public SortedMap<String, TensorInfo> outputs() {
    return outputs;
  }

  /** The inputs that a call may leave out. */
  public Set<String> optionalInputs() {
    return defaults.keySet();
  }

  /**
   * The reason why the signature cannot run, such as ops that are not supported; empty if it can.
   */
  public Optional<String> problem() {
    return problem;
  }

  /**
   * Computes all outputs.
   *
   * @param values a value for each input: anything that {@link dev.tributary.session.Feeds} takes
   */
  public Map<String, Value> call(Map<String, ?> values) {
    requireUsable();
    requireNames(values.keySet());
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    List<String> wanted = List.copyOf(outputs.keySet());
    try {
      values.forEach((key, value) -> tensors.put(key, tensor(key, value)));
      try (StepResult result = run(tensors, wanted, RunOptions.defaults())) {
        Map<String, Value> named = new LinkedHashMap<>();
        for (int i = 0; i < wanted.size(); i++) {
          named.put(wanted.get(i), Value.copyOf(result.get(i)));
        }
        return named;
      }
    } finally {
      tensors.values().forEach(Tensor::close);
    }
  }

  /**
   * Computes some outputs from tensors, without a copy of either: for servers, which pass a whole
   * batch.
   *
   * @param tensors a value for each input, which stay the caller's
   * @param wanted keys of outputs
   * @return the values in the order of {@code wanted}, for the caller to close
   */
  public StepResult run(Map<String, Tensor> tensors, List<String> wanted, RunOptions options) {
    requireUsable();
    requireNames(tensors.keySet());
    StepRunner runner = session.runner().options(options);
    tensors.forEach((key, tensor) -> runner.feed(checked(key, tensor), tensor));
    for (String key : wanted) {
      Output output = fetches.get(key);
      if (output == null) {
        throw TributaryException.invalidArgument(
            "%s has no output '%s', it has %s", at(), key, outputs.keySet());
      }
      runner.fetch(output);
    }
    Map<String, Tensor> left = new LinkedHashMap<>();
    try {
      defaults.forEach(
          (key, value) -> {
            if (!tensors.containsKey(key)) {
              left.put(key, value.toTensor());
              runner.feed(feeds.get(key), left.get(key));
            }
          });
      return runner.run();
    } finally {
      left.values().forEach(Tensor::close);
    }
  }

  /** Fails with UNIMPLEMENTED if the signature cannot run. */
  void requireUsable() {
    problem.ifPresent(
        text -> {
          throw new TributaryException(ErrorCode.UNIMPLEMENTED, at() + " cannot run: " + text);
        });
  }

  private String at() {
    return "signature '" + name + "'";
  }

  private void requireNames(Set<String> given) {
    Set<String> unknown = new TreeSet<>(given);
    unknown.removeAll(inputs.keySet());
    Set<String> missing = new TreeSet<>(inputs.keySet());
    missing.removeAll(given);
    missing.removeAll(defaults.keySet());
    if (!unknown.isEmpty() || !missing.isEmpty()) {
      throw TributaryException.invalidArgument(
          "%s wants inputs %s%s%s",
          at(), inputs, named("missing", missing), named("no such", unknown));
    }
  }

  private static String named(String what, Collection<String> names) {
    return names.isEmpty() ? "" : "; " + what + ": " + names;
  }

  private Tensor tensor(String key, Object value) {
    try {
      return JavaValues.toTensor(value);
    } catch (TributaryException e) {
      throw e.at(at() + ", input '" + key + "'");
    }
  }

  private Output checked(String key, Tensor tensor) {
    TensorInfo info = inputs.get(key);
    if (tensor.type() != info.type() || !info.shape().isCompatibleWith(tensor.shape())) {
      throw TributaryException.invalidArgument(
          "%s: input '%s' is %s, got %s %s",
          at(), key, info, tensor.type().lowerName(), tensor.shape());
    }
    return feeds.get(key);
  }

  /** Returns name, inputs and outputs on one line. */
  @Override
  public String toString() {
    return name + inputs + " -> " + outputs;
  }
}
