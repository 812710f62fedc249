package dev.tributary.ops;

/** The time at which the copies of a distributed variable are brought together, as TensorFlow. */
public enum VariableSynchronization {
  /** The strategy decides; all strategies here take {@link #ON_WRITE}. */
  AUTO,
  /** There is one copy only. */
  NONE,
  /** Each change is made to all copies, which therefore stay equal. */
  ON_WRITE,
  /** Each replica changes its own copy; a read outside of replicas aggregates the copies. */
  ON_READ
}
