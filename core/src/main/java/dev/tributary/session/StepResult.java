package dev.tributary.session;

import dev.tributary.tensor.Tensor;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The fetched values of a step, in the order they were asked for. Closing it gives them all back;
 * twice is harmless.
 */
public final class StepResult extends AbstractList<Tensor> implements AutoCloseable {
  private final List<Tensor> values;
  private final Optional<StepTrace> trace;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Takes over the values, which the session that ran the step made. */
  public StepResult(List<Tensor> values, Optional<StepTrace> trace) {
    this.values = List.copyOf(values);
    this.trace = trace;
  }

  @Override
  public Tensor get(int i) {
    return values.get(i);
  }

  @Override
  public int size() {
    return values.size();
  }

  /** What each node took, if {@link RunOptions#trace} was set. */
  public Optional<StepTrace> trace() {
    return trace;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      values.forEach(Tensor::close);
    }
  }
}
