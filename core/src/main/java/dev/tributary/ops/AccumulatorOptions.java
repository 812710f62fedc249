package dev.tributary.ops;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/**
 * What an accumulator is to add up. Immutable.
 *
 * @param shape what is known of the gradients' shape
 * @param sharedName the name under which sessions and tasks share it; empty for the name of its
 *     operation
 * @param reduction what comes out
 */
public record AccumulatorOptions(
    DataType type, Shape shape, String sharedName, Reduction reduction) {
  /** What an accumulator makes of the gradients. */
  public enum Reduction {
    MEAN,
    SUM
  }

  public static AccumulatorOptions of(DataType type, Shape shape) {
    return new AccumulatorOptions(type, shape, "", Reduction.MEAN);
  }

  public AccumulatorOptions withSharedName(String name) {
    return new AccumulatorOptions(type, shape, name, reduction);
  }

  public AccumulatorOptions withReduction(Reduction wanted) {
    return new AccumulatorOptions(type, shape, sharedName, wanted);
  }
}
