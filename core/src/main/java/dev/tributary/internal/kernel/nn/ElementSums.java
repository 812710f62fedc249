package dev.tributary.internal.kernel.nn;

import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Sums of an element of one tensor and one of another, in their type. */
final class ElementSums {
  private final Tensor left;
  private final Tensor right;
  private final boolean real;

  ElementSums(Tensor left, Tensor right) {
    this.left = left;
    this.right = right;
    this.real = left.type().isFloating();
  }

  /** A number that is the greater, the greater the sum is; the least one for a NaN. */
  long rank(long i, long j) {
    if (!real) {
      return whole(i, j);
    }
    double sum = RealElements.of(left.type()).round(Reals.at(left, i) + Reals.at(right, j));
    return Double.isNaN(sum) ? least() : OrderedElements.ordered(sum);
  }

  /** The rank of the least number of the type. */
  long least() {
    return switch (left.type()) {
      case FLOAT -> OrderedElements.ordered(-Float.MAX_VALUE);
      case DOUBLE -> OrderedElements.ordered(-Double.MAX_VALUE);
      case HALF -> OrderedElements.ordered(-65504);
      case BFLOAT16 -> OrderedElements.ordered(-0x1.fep127);
      default -> OrderedElements.least(left.type());
    };
  }

  /** Sets an element of a tensor of the same type to a sum. */
  void put(Tensor target, long at, long i, long j) {
    if (real) {
      Reals.put(target, at, Reals.at(left, i) + Reals.at(right, j));
    } else {
      IndexTensors.put(target, at, whole(i, j));
    }
  }

  /** Sets an element to the least number of the type. */
  void putLeast(Tensor target, long at) {
    switch (left.type()) {
      case FLOAT -> Reals.put(target, at, -Float.MAX_VALUE);
      case DOUBLE -> Reals.put(target, at, -Double.MAX_VALUE);
      case HALF -> Reals.put(target, at, -65504);
      case BFLOAT16 -> Reals.put(target, at, -0x1.fep127);
      default -> IndexTensors.put(target, at, OrderedElements.least(left.type()));
    }
  }

  private long whole(long i, long j) {
    long sum = IndexTensors.at(left, i) + IndexTensors.at(right, j);
    int shift = Long.SIZE - 8 * left.type().size();
    return left.type() == DataType.UINT8 ? sum & 0xff : sum << shift >> shift;
  }
}
