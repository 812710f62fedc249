package dev.tributary.train.loss;

/** How the losses of the elements of a batch become one, as in TensorFlow 1. */
public enum Reduction {
  /** They do not: the weighted losses as they are. */
  NONE,
  /** The sum of the weighted losses. */
  SUM,
  /** The sum, divided by the sum of the weights. */
  MEAN,
  /** The sum, divided by the number of elements. */
  SUM_OVER_BATCH_SIZE,
  /** The sum, divided by the number of elements whose weight is not zero; the default. */
  SUM_BY_NONZERO_WEIGHTS
}
