package dev.tributary.internal.op;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.tensor.DataType;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part that an op can play when a product becomes one node with what is done to it: a bias and
 * an activation, or an update. Its output is the first one.
 */
public sealed interface FusionRole {
  /**
   * Multiplies its two inputs.
   *
   * @param fused the op which does the same and an epilogue: its inputs are those of this op and
   *     the bias, and it has this op's attributes beside {@code num_args} and {@code fused_ops}
   * @param types the values of attribute {@code T} for which that op has a kernel
   * @param sum for a product of two matrices, the op which adds it to a third one, its last input
   */
  record Product(OpDeclaration fused, Set<DataType> types, Optional<OpDeclaration> sum)
      implements FusionRole {
    public Product {
      types = Set.copyOf(types);
    }

    /** Returns whether this is a product of two matrices, which {@link Descent} can take. */
    public boolean isOfMatrices() {
      return sum.isPresent();
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

  /**
   * Normalises each channel of its first input, an image, by its other four: scale, offset, mean
   * and variance. Only the output is fused over, and only where {@code is_training} is false.
   *
   * @param fused the ops which do the same to a convolution of their first two inputs, by the name
   *     of the convolution's op; their attribute {@code activation} names an op that follows
   */
  record Norm(Map<String, OpDeclaration> fused) implements FusionRole {
    public Norm {
      fused = Map.copyOf(fused);
    }
  }

  /**
   * Subtracts from a variable, its first input, the product of its other two, a rate and a tensor.
   *
   * @param fused the op which does the same when the tensor is a product of matrices: in the
   *     tensor's place it has the two matrices, and it has both ops' attributes
   */
  record Descent(OpDeclaration fused) implements FusionRole {}
}
