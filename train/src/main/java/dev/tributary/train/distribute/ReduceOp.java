package dev.tributary.train.distribute;

/** The ways in which values of all replicas become one. */
public enum ReduceOp {
  SUM,
  /** The sum, divided by the number of replicas. */
  MEAN
}
