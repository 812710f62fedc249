package dev.tributary.graph;

import dev.tributary.kernel.Activation;
import dev.tributary.tensor.DataType;
import java.util.Set;

/**
 * The part that an op can play when a product, a bias and an activation become one node. Its output
 * is the first one.
 */
public sealed interface FusionRole {
  /**
   * Multiplies its two inputs.
   *
   * @param fused the op which does the same and an epilogue: its inputs are those of this op and
   *     the bias, and it has this op's attributes beside {@code num_args} and {@code fused_ops}
   * @param types the values of attribute {@code T} for which that op has a kernel
   */
  record Product(OpDeclaration fused, Set<DataType> types) implements FusionRole {
    public Product {
      types = Set.copyOf(types);
    }
  }

  /**
   * Adds a bias, its second input, to its first one.
   *
   * @param isSum whether it is a sum of any two tensors, of which either can be the bias: a vector
   *     as long as the last dimension of the other
   */
  record Bias(boolean isSum) implements FusionRole {}

  /** Applies a function to each element of its only input. */
  record Function(Activation activation) implements FusionRole {}
}
