package dev.tributary.session;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;
import dev.tributary.trace.StepTrace;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The fetched values of a step, by position and by operand. The result owns them: closing it closes
 * them all. A program may also close a value by itself, earlier or later, and may close the result
 * again; neither has any effect on the graph, its variables, or other results. {@link
 * Tensor#retain} keeps a value for longer than its result.
 */
public final class StepResult extends AbstractList<Tensor> implements AutoCloseable {
  private final List<Output> fetches;
  private final List<Tensor> values;
  private final Optional<StepTrace> trace;

  /**
   * For those who write sessions.
   *
   * @param fetches the operands that were fetched
   * @param values one for each fetch, taken over
   */
  public StepResult(List<Output> fetches, List<Tensor> values, Optional<StepTrace> trace) {
    this.fetches = List.copyOf(fetches);
    this.values = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      this.values.add(SharedTensors.handOut(values.get(i), fetches.get(i)));
    }
    this.trace = trace;
  }

  @Override
  public Tensor get(int i) {
    return values.get(i);
  }

  /** Returns the value of one of the fetched operands. */
  public Tensor get(Operand fetched) {
    int place = fetches.indexOf(fetched.asOutput());
    if (place < 0) {
      throw TributaryException.notFound(
          "%s was not fetched in this step: fetch it too; fetched were %s",
          fetched.asOutput().name(), fetches.stream().map(Output::name).toList());
    }
    return values.get(place);
  }

  @Override
  public int size() {
    return values.size();
  }

  /** The run times of each node, if {@link RunOptions#trace} was set. */
  public Optional<StepTrace> trace() {
    return trace;
  }

  @Override
  public void close() {
    values.forEach(Tensor::close);
  }
}
