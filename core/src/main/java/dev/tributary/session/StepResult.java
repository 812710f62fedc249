package dev.tributary.session;

import dev.tributary.tensor.Tensor;
import java.util.AbstractList;
import java.util.List;

/** The fetched values of a step, in the order they were asked for. Closing it gives them all back. */
public final class StepResult extends AbstractList<Tensor> implements AutoCloseable {
  private final List<Tensor> values;

  StepResult(List<Tensor> values) {
    this.values = List.copyOf(values);
  }

  @Override
  public Tensor get(int i) {
    return values.get(i);
  }

  @Override
  public int size() {
    return values.size();
  }

  @Override
  public void close() {
    values.forEach(Tensor::close);
  }
}
