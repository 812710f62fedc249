package dev.tributary.internal.kernel.loop;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The geometry of a reduction: which dimensions go, what shape is left, and the walk over the input
 * with neighbouring dimensions of one kind merged, so that kept and reduced ones alternate.
 * Immutable.
 */
public final class ReductionShape {
  private final Shape result;
  private final long[] sizes;
  private final boolean[] reduced;
  private final long reducedCount;

  private ReductionShape(Shape result, long[] sizes, boolean[] reduced, long reducedCount) {
    this.result = result;
    this.sizes = sizes;
    this.reduced = reduced;
    this.reducedCount = reducedCount;
  }

  /**
   * Reduces a fully known shape over axes, which may be negative (counted from the end) but must
   * differ.
   */
  public static ReductionShape of(Shape input, long[] axes, boolean keepDims) {
    boolean[] marked = mark(input.rank(), axes);
    List<Long> sizes = new ArrayList<>();
    List<Boolean> kinds = new ArrayList<>();
    long reducedCount = 1;
    for (int i = 0; i < marked.length; i++) {
      long size = input.size(i);
      reducedCount *= marked[i] ? size : 1;
      int last = sizes.size() - 1;
      if (size == 1) {
        continue;
      }
      if (last >= 0 && kinds.get(last) == marked[i]) {
        sizes.set(last, sizes.get(last) * size);
      } else {
        sizes.add(size);
        kinds.add(marked[i]);
      }
    }
    long[] walk = new long[sizes.size()];
    boolean[] reduced = new boolean[walk.length];
    for (int i = 0; i < walk.length; i++) {
      walk[i] = sizes.get(i);
      reduced[i] = kinds.get(i);
    }
    return new ReductionShape(without(input, marked, keepDims), walk, reduced, reducedCount);
  }

  /** The shape that is left of a shape of known rank, whose sizes may be unknown. */
  public static Shape result(Shape input, long[] axes, boolean keepDims) {
    return without(input, mark(input.rank(), axes), keepDims);
  }

  /** An axis counted from the start; fails when there is no such dimension. */
  public static int axis(long axis, int rank) {
    if (axis < -rank || axis >= rank) {
      throw TributaryException.invalidArgument(
          "Invalid reduction dimension (%d for input with %d dimension(s)", axis, rank);
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  public Shape result() {
    return result;
  }

  /** Returns how many elements go into each result. */
  public long reducedCount() {
    return reducedCount;
  }

  /** The merged sizes, outer to inner, none of them 1; empty when every size is. */
  long[] sizes() {
    return sizes;
  }

  boolean isReduced(int dimension) {
    return reduced[dimension];
  }

  private static boolean[] mark(int rank, long[] axes) {
    boolean[] marked = new boolean[rank];
    for (long axis : axes) {
      int at = axis(axis, rank);
      if (marked[at]) {
        throw TributaryException.invalidArgument(
            "Invalid reduction arguments: Axes contains duplicate dimension: %d in %s",
            at, Arrays.toString(axes));
      }
      marked[at] = true;
    }
    return marked;
  }

  private static Shape without(Shape input, boolean[] marked, boolean keepDims) {
    long[] kept = new long[marked.length];
    int count = 0;
    for (int i = 0; i < marked.length; i++) {
      if (!marked[i]) {
        kept[count++] = input.size(i);
      } else if (keepDims) {
        kept[count++] = 1;
      }
    }
    return Shape.of(Arrays.copyOf(kept, count));
  }
}
