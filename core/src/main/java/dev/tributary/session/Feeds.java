package dev.tributary.session;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.internal.tensor.JavaValues;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The values that a step is fed. A value is a number, a boolean, a string, an array of these with
 * any number of dimensions, a buffer, an nd-array, a {@link dev.tributary.tensor.Value} or a {@link
 * Tensor}. Arrays and buffers are read when a step runs; tensors stay the caller's. Immutable.
 *
 * <pre>{@code
 * session.run(train, Feeds.of(x, new float[] {0, 1, 2}).and(y, new float[] {1, 3, 5}));
 * }</pre>
 */
public final class Feeds {
  private static final Feeds NONE = new Feeds(List.of(), List.of());

  private final List<Output> outputs;
  private final List<Object> values;

  private Feeds(List<Output> outputs, List<Object> values) {
    this.outputs = outputs;
    this.values = values;
  }

  /** Returns no feeds at all. */
  public static Feeds none() {
    return NONE;
  }

  /** Returns one feed: the step uses the value instead of computing the operand. */
  public static Feeds of(Operand operand, Object value) {
    return NONE.and(operand, value);
  }

  /** Returns these feeds and one more. */
  public Feeds and(Operand operand, Object value) {
    Output output = operand.asOutput();
    if (outputs.contains(output)) {
      throw TributaryException.invalidArgument("%s is fed twice: feed it once", output.name());
    }
    List<Output> moreOutputs = new ArrayList<>(outputs);
    moreOutputs.add(output);
    List<Object> moreValues = new ArrayList<>(values);
    moreValues.add(value);
    return new Feeds(List.copyOf(moreOutputs), List.copyOf(moreValues));
  }

  /**
   * Makes tensors of the values for a call, and closes them when it returns. For code that runs
   * steps in a way of its own.
   */
  public <T> T withTensors(Function<Map<Output, Tensor>, T> call) {
    Map<Output, Tensor> tensors = new LinkedHashMap<>();
    try {
      for (int i = 0; i < values.size(); i++) {
        tensors.put(outputs.get(i), tensor(i));
      }
      return call.apply(tensors);
    } finally {
      tensors.values().forEach(Tensor::close);
    }
  }

  /** Runs a step with these feeds. */
  StepResult run(StepRunner runner) {
    return withTensors(
        tensors -> {
          tensors.forEach(runner::feed);
          return runner.run();
        });
  }

  private Tensor tensor(int i) {
    try {
      return JavaValues.toTensor(values.get(i));
    } catch (TributaryException e) {
      throw e.at("the feed of " + outputs.get(i).name());
    }
  }
}
