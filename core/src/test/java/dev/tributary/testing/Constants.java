package dev.tributary.testing;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Tensor;

/** Constants of tensors that a test makes only for them. */
public final class Constants {
  private Constants() {}

  /** A constant; closes the tensor. */
  public static Output taking(Ops tf, Tensor made) {
    try (made) {
      return tf.constant(made);
    }
  }
}
