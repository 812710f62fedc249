package dev.tributary.internal.kernel.accumulator;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/**
 * The type and shape that an accumulator adds up. Immutable.
 *
 * @param shape what is known of the gradients' shape
 * @param isMean whether it gives the mean, or else the sum
 */
record AccumulatorSpec(DataType type, Shape shape, boolean isMean) {
  static AccumulatorSpec of(KernelNode node) {
    Attributes attributes = node.attributes();
    DataType type = attributes.type("dtype");
    Arithmetic.ADD.requireSupport(type);
    return new AccumulatorSpec(
        type, attributes.shape("shape"), attributes.string("reduction_type").equals("MEAN"));
  }

  /**
   * Fails unless a node that wants {@code wanted} may use an accumulator that was made like this.
   */
  void requireFits(String name, AccumulatorSpec wanted) {
    if (!equals(wanted)) {
      throw TributaryException.invalidArgument(
          "Shared conditional accumulator '%s' has %s but requested was %s", name, this, wanted);
    }
  }

  void requireType(DataType got) {
    if (type != got) {
      throw TributaryException.invalidArgument(
          "the accumulator adds up %s gradients, the op has type %s",
          type.lowerName(), got.lowerName());
    }
  }

  @Override
  public String toString() {
    return "type " + type.lowerName() + ", shape " + shape + ", " + (isMean ? "MEAN" : "SUM");
  }
}
