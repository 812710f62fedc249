package dev.tributary.graph;

/**
 * The rewrites that a session may apply to a step's graph before it runs. Each changes how values
 * are computed, never which.
 */
public enum Rewrite {
  /** Parts that depend on constants only are computed once. */
  CONSTANT_FOLDING,
  /** Equal nodes are computed once. */
  COMMON_SUBEXPRESSIONS,
  /** Nodes that do nothing, such as a product with 1, are left out. */
  SIMPLIFICATION,
  /**
   * A matrix product or convolution is computed together with the bias and the activation behind
   * it, with the matrix that it is added to, or with the gradient descent that it is for;
   * element-wise operations that feed each other are computed in one pass.
   */
  FUSION,
  /** Work on a gradient is done before a maximum pooling's gradient spreads it over the image. */
  POOLED_GRADIENTS
}
