package dev.tributary.internal.bundle;

import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * The intersection of two slices of one tensor: a box, with its first corner in each of the two.
 * Immutable.
 */
final class Overlap {
  private final long[] sizes;
  private final long[] fromStart;
  private final long[] toStart;

  private Overlap(long[] sizes, long[] fromStart, long[] toStart) {
    this.sizes = sizes;
    this.fromStart = fromStart;
    this.toStart = toStart;
  }

  /**
   * The common part of slices {@code from} and {@code to} of a tensor of shape {@code full}, if
   * any.
   */
  static Optional<Overlap> of(TensorSlice from, TensorSlice to, Shape full) {
    int rank = full.rank();
    Overlap overlap = new Overlap(new long[rank], new long[rank], new long[rank]);
    Shape fromShape = from.shapeIn(full);
    Shape toShape = to.shapeIn(full);
    for (int i = 0; i < rank; i++) {
      long start = Math.max(from.start(i), to.start(i));
      long end = Math.min(from.start(i) + fromShape.size(i), to.start(i) + toShape.size(i));
      if (end <= start) {
        return Optional.empty();
      }
      overlap.sizes[i] = end - start;
      overlap.fromStart[i] = start - from.start(i);
      overlap.toStart[i] = start - to.start(i);
    }
    return Optional.of(overlap);
  }

  long elementCount() {
    return Shape.of(sizes).elementCount();
  }

  /** Copies the common part from a tensor that is the one slice to one that is the other. */
  void copy(Tensor from, Tensor to) {
    long[] fromStrides = from.shape().strides();
    long[] toStrides = to.shape().strides();
    copy(
        0,
        from,
        offset(fromStart, fromStrides),
        fromStrides,
        to,
        offset(toStart, toStrides),
        toStrides);
  }

  private void copy(
      int dimension,
      Tensor from,
      long fromAt,
      long[] fromStrides,
      Tensor to,
      long toAt,
      long[] toStrides) {
    int last = sizes.length - 1;
    if (dimension >= last) {
      copyRow(from, fromAt, to, toAt, last < 0 ? 1 : sizes[last]);
      return;
    }
    for (long i = 0; i < sizes[dimension]; i++) {
      copy(
          dimension + 1,
          from,
          fromAt + i * fromStrides[dimension],
          fromStrides,
          to,
          toAt + i * toStrides[dimension],
          toStrides);
    }
  }

  private static void copyRow(Tensor from, long fromAt, Tensor to, long toAt, long count) {
    if (from.type().isObject()) {
      System.arraycopy(from.objects(), (int) fromAt, to.objects(), (int) toAt, (int) count);
    } else {
      int size = from.type().size();
      Memory.copy(
          from.storage().address() + fromAt * size,
          to.storage().address() + toAt * size,
          count * size);
    }
  }

  private static long offset(long[] start, long[] strides) {
    long offset = 0;
    for (int i = 0; i < start.length; i++) {
      offset += start[i] * strides[i];
    }
    return offset;
  }
}
