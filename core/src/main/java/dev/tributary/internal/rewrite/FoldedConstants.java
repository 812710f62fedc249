package dev.tributary.internal.rewrite;

import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The values that constant folding put into a graph. Whoever compiled the graph closes them when it
 * runs no more.
 */
public final class FoldedConstants implements AutoCloseable {
  private final List<Tensor> values;

  FoldedConstants(List<Tensor> values) {
    this.values = new ArrayList<>(values);
  }

  public static FoldedConstants none() {
    return new FoldedConstants(List.of());
  }

  public int count() {
    return values.size();
  }

  @Override
  public void close() {
    values.forEach(Tensor::close);
    values.clear();
  }
}
