package dev.tributary.ops;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/**
 * Options of an accumulator of gradients. Immutable.
 *
 * @param shape the gradients' shape, which may be partly unknown
 * @param sharedName the name under which sessions and tasks share it; empty for the name of its
 *     operation
 * @param reduction the result that is taken out
 */
public record AccumulatorOptions(
    DataType type, Shape shape, String sharedName, Reduction reduction) {
  /** The result of an accumulator. */
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
