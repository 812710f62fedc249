package dev.tributary.optable;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A graph and a sequence of steps on it in one session. Our runtime must give the expected values
 * where a step names some, and stock TensorFlow must give the same as ours for every fetch of every
 * step. The script owns its graph's constants, the fed and the expected tensors, which may appear
 * in several steps.
 */
public final class Script implements AutoCloseable {
  /** One step; {@code expected} is empty or has one tensor for each fetch. */
  public record Step(
      Map<Output, Tensor> feeds,
      List<Output> fetches,
      List<Operation> targets,
      List<Tensor> expected) {}

  private final Ops tf;
  private final List<Step> steps = new ArrayList<>();

  private Script(Ops tf) {
    this.tf = tf;
  }

  public static Script on(Ops tf) {
    return new Script(tf);
  }

  public Script run(Operation... targets) {
    steps.add(new Step(Map.of(), List.of(), List.of(targets), List.of()));
    return this;
  }

  public Script fetch(Output... fetches) {
    steps.add(new Step(Map.of(), List.of(fetches), List.of(), List.of()));
    return this;
  }

  /** Fetches one output, which must have this value. */
  public Script expect(Output fetch, Tensor value) {
    steps.add(new Step(Map.of(), List.of(fetch), List.of(), List.of(value)));
    return this;
  }

  public Script step(
      Map<Output, Tensor> feeds,
      List<Output> fetches,
      List<Operation> targets,
      List<Tensor> expected) {
    steps.add(new Step(new LinkedHashMap<>(feeds), fetches, targets, expected));
    return this;
  }

  public Ops tf() {
    return tf;
  }

  public List<Step> steps() {
    return steps;
  }

  @Override
  public void close() {
    Set<Tensor> owned = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Step step : steps) {
      owned.addAll(step.feeds().values());
      owned.addAll(step.expected());
    }
    owned.forEach(Tensor::close);
    tf.graph().close();
  }
}
