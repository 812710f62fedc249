package dev.tributary.internal.kernel.loop;

import java.util.Arrays;

/**
 * The sizes of a walk over one or more operands, with as few dimensions as describe it: dimensions
 * of size 1 are gone, and neighbours which every operand steps through as if they were one are
 * merged.
 */
final class Collapse {
  private static final long[] UNIT = {1};

  /** Sizes from outer to inner; at least one. */
  final long[] sizes;

  /** By operand: the step between neighbours in each dimension. */
  final long[][] strides;

  private Collapse(long[] sizes, long[][] strides) {
    this.sizes = sizes;
    this.strides = strides;
  }

  /** The walk over operands that are all dense. */
  static Collapse dense(long count, int operands) {
    long[][] steps = new long[operands][];
    Arrays.fill(steps, UNIT);
    return new Collapse(new long[] {count}, steps);
  }

  /** The same steps in one dimension of another size, for a walk that has only one. */
  Collapse cut(long count) {
    return new Collapse(new long[] {count}, strides);
  }

  static Collapse of(long[] sizes, long[]... strides) {
    int rank = sizes.length;
    long[] merged = new long[Math.max(rank, 1)];
    long[][] steps = new long[strides.length][merged.length];
    int last = -1;
    for (int i = 0; i < rank; i++) {
      if (sizes[i] == 1) {
        continue;
      }
      if (last >= 0 && mergeable(steps, last, strides, i, sizes[i])) {
        merged[last] *= sizes[i];
      } else {
        merged[++last] = sizes[i];
      }
      for (int operand = 0; operand < strides.length; operand++) {
        steps[operand][last] = strides[operand][i];
      }
    }
    if (last < 0) {
      merged[++last] = 1;
      for (long[] step : steps) {
        step[0] = 1;
      }
    }
    int kept = last + 1;
    if (kept < merged.length) {
      merged = Arrays.copyOf(merged, kept);
      for (int operand = 0; operand < steps.length; operand++) {
        steps[operand] = Arrays.copyOf(steps[operand], kept);
      }
    }
    return new Collapse(merged, steps);
  }

  private static boolean mergeable(
      long[][] steps, int outer, long[][] strides, int inner, long innerSize) {
    for (int operand = 0; operand < strides.length; operand++) {
      if (steps[operand][outer] != strides[operand][inner] * innerSize) {
        return false;
      }
    }
    return true;
  }

  int rank() {
    return sizes.length;
  }

  long elementCount() {
    long count = 1;
    for (long size : sizes) {
      count *= size;
    }
    return count;
  }
}
