package dev.tributary.internal.kernel;

import dev.tributary.tensor.DataType;

/** A dense matrix of logits, one row of {@code classes} logits for each example. */
public record SoftmaxGeometry(DataType type, long rows, long classes) {
  public long elements() {
    return rows * classes;
  }
}
