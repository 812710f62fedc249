package dev.tributary.rewrite;

/**
 * What a session may do to a step's graph before it runs. Each changes how values are computed,
 * never which.
 */
public enum Rewrite {
  /** Parts that depend on constants only are computed once. */
  CONSTANT_FOLDING,
  /** Equal nodes are computed once. */
  COMMON_SUBEXPRESSIONS
}
