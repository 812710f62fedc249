package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;

/**
 * Fills tensor memory with random elements, which follow from the given stream alone. Immutable, so
 * one instance may fill on many threads.
 *
 * <p>A fill may be cut at any multiple of {@link #elementsPerGroup}: the part that begins with
 * group {@code g} is filled from a copy of the stream which skipped {@code g * blocksPerGroup()}
 * blocks, and the whole is the same as without the cut.
 */
public interface Distribution {
  /**
   * Writes {@code count} elements from {@code address} on and leaves {@code source} somewhere
   * behind what it used.
   */
  void fill(Philox source, long address, long count);

  int elementsPerGroup();

  long blocksPerGroup();

  /** Reals in [0, 1): float, double, half or bfloat16. */
  static Distribution uniform(DataType type) {
    return switch (type) {
      case FLOAT -> new TiledDistribution(type, Uniform.reals(23));
      case HALF -> new TiledDistribution(type, Uniform.reals(10));
      case BFLOAT16 -> new TiledDistribution(type, Uniform.reals(7));
      case DOUBLE -> new TiledDistribution(type, Uniform::doubles);
      default -> throw unsupported("real", type);
    };
  }

  /** The normal distribution of mean 0 and deviation 1: float, double, half or bfloat16. */
  static Distribution normal(DataType type) {
    return new TiledDistribution(type, boxMuller(type));
  }

  /**
   * The normal distribution of mean 0 and deviation 1 without what lies 2 or more from its mean.
   */
  static Distribution truncatedNormal(DataType type) {
    return new TruncatedNormal(type, boxMuller(type));
  }

  /**
   * Integers from {@code low} to below {@code high}: int32 or int64. Small values are favoured by a
   * hair, as in TensorFlow.
   */
  static Distribution uniformInt(DataType type, long low, long high) {
    if (low >= high) {
      throw TributaryException.invalidArgument("Need minval < maxval, got %d >= %d", low, high);
    }
    return switch (type) {
      case INT32 -> new TiledDistribution(type, Uniform.ints((int) low, (int) high));
      case INT64 -> new TiledDistribution(type, Uniform.longs(low, high));
      default -> throw unsupported("integer", type);
    };
  }

  /** Integers over the whole range of the type: int32, int64 and their unsigned twins. */
  static Distribution uniformFullInt(DataType type) {
    return switch (type) {
      case INT32, UINT32, INT64, UINT64 -> new TiledDistribution(type, (words, count) -> {});
      default -> throw unsupported("integer", type);
    };
  }

  private static BlockTransform boxMuller(DataType type) {
    return switch (type) {
      case FLOAT, HALF, BFLOAT16 -> FloatBoxMuller::transform;
      case DOUBLE -> DoubleBoxMuller::transform;
      default -> throw unsupported("real", type);
    };
  }

  private static TributaryException unsupported(String kind, DataType type) {
    return TributaryException.invalidArgument(
        "random %s numbers cannot be of type %s", kind, type.lowerName());
  }
}
