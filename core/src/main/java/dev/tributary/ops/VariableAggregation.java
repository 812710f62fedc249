package dev.tributary.ops;

/** The way in which different values of the replicas become one value of a variable. */
public enum VariableAggregation {
  /** There is none: replicas must not assign the variable. */
  NONE,
  SUM,
  MEAN,
  /** The value of the first replica counts, as for a global step. */
  ONLY_FIRST_REPLICA
}
