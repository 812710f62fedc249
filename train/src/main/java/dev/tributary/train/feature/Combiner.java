package dev.tributary.train.feature;

/** The ways in which several categories of an example become one row. */
public enum Combiner {
  /** The weighted sum. */
  SUM,
  /** The weighted sum, divided by the sum of the weights. */
  MEAN,
  /** The weighted sum, divided by the square root of the sum of the squares of the weights. */
  SQRTN
}
