package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import java.util.Arrays;

/**
 * The sizes of a tensor, or what is known of them while a graph is built: the rank may be unknown,
 * and single sizes may be {@link #UNKNOWN}. Immutable.
 */
public final class Shape {
  /** A size that is not known yet. */
  public static final long UNKNOWN = -1;

  private static final Shape UNKNOWN_RANK = new Shape(null);
  private static final Shape SCALAR = new Shape(new long[0]);

  private final long[] sizes;

  private Shape(long[] sizes) {
    this.sizes = sizes;
  }

  /** A shape with these sizes; -1 stands for an unknown one. */
  public static Shape of(long... sizes) {
    if (sizes.length == 0) {
      return SCALAR;
    }
    for (long size : sizes) {
      if (size < UNKNOWN) {
        throw TributaryException.invalidArgument(
            "a size must be -1 (unknown) or more, got %s", Arrays.toString(sizes));
      }
    }
    return new Shape(sizes.clone());
  }

  public static Shape scalar() {
    return SCALAR;
  }

  /** A shape of which nothing is known. */
  public static Shape unknown() {
    return UNKNOWN_RANK;
  }

  /** A shape of which only the rank is known. */
  public static Shape ofRank(int rank) {
    long[] sizes = new long[rank];
    Arrays.fill(sizes, UNKNOWN);
    return rank == 0 ? SCALAR : new Shape(sizes);
  }

  public boolean hasRank() {
    return sizes != null;
  }

  /** The number of dimensions, or -1 when that is not known. */
  public int rank() {
    return sizes == null ? -1 : sizes.length;
  }

  /** The size of dimension {@code i}, where negative {@code i} count from the end. */
  public long size(int i) {
    long[] known = known();
    int index = i < 0 ? i + known.length : i;
    if (index < 0 || index >= known.length) {
      throw TributaryException.outOfRange("shape %s has no dimension %d", this, i);
    }
    return known[index];
  }

  public boolean isScalar() {
    return sizes != null && sizes.length == 0;
  }

  public boolean isFullyDefined() {
    if (sizes == null) {
      return false;
    }
    for (long size : sizes) {
      if (size == UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many elements a tensor of this shape has, or -1 when that is not known. */
  public long elementCount() {
    if (!isFullyDefined()) {
      return UNKNOWN;
    }
    long count = 1;
    for (long size : sizes) {
      if (Math.multiplyHigh(count, size) != 0 || count * size < 0) {
        throw TributaryException.invalidArgument("shape %s has more elements than 2^63", this);
      }
      count *= size;
    }
    return count;
  }

  /** The sizes, copied; fails when the rank is unknown. */
  public long[] toArray() {
    return known().clone();
  }

  /** The dimensions from {@code from} (inclusive) to {@code to} (exclusive). */
  public Shape slice(int from, int to) {
    return from == to ? SCALAR : new Shape(Arrays.copyOfRange(known(), from, to));
  }

  /** This shape's dimensions followed by the other's. */
  public Shape concatenate(Shape other) {
    if (sizes == null || other.sizes == null) {
      return UNKNOWN_RANK;
    }
    long[] all = Arrays.copyOf(sizes, sizes.length + other.sizes.length);
    System.arraycopy(other.sizes, 0, all, sizes.length, other.sizes.length);
    return all.length == 0 ? SCALAR : new Shape(all);
  }

  /** This shape with the size of one dimension replaced. */
  public Shape withSize(int dimension, long size) {
    long[] changed = toArray();
    changed[dimension] = size;
    return of(changed);
  }

  /** Returns whether a tensor could have both shapes. */
  public boolean isCompatibleWith(Shape other) {
    if (sizes == null || other.sizes == null) {
      return true;
    }
    if (sizes.length != other.sizes.length) {
      return false;
    }
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] != other.sizes[i] && sizes[i] != UNKNOWN && other.sizes[i] != UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  /** Returns what both shapes together say about a tensor; fails if no tensor has both. */
  public Shape merge(Shape other) {
    if (sizes == null) {
      return other;
    }
    if (other.sizes == null) {
      return this;
    }
    if (!isCompatibleWith(other)) {
      throw TributaryException.invalidArgument("shapes %s and %s are not compatible", this, other);
    }
    long[] merged = sizes.clone();
    for (int i = 0; i < merged.length; i++) {
      merged[i] = merged[i] == UNKNOWN ? other.sizes[i] : merged[i];
    }
    return merged.length == 0 ? SCALAR : new Shape(merged);
  }

  /** Steps in elements between neighbours along each dimension of a row-major tensor. */
  public long[] strides() {
    long[] known = known();
    long[] strides = new long[known.length];
    long step = 1;
    for (int i = known.length - 1; i >= 0; i--) {
      strides[i] = step;
      step *= known[i];
    }
    return strides;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof Shape && Arrays.equals(sizes, ((Shape) other).sizes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sizes);
  }

  /**
   * TensorFlow's notation: {@code [2,?,3]}, {@code []} for a scalar, {@code <unknown>} without a
   * rank.
   */
  @Override
  public String toString() {
    if (sizes == null) {
      return "<unknown>";
    }
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < sizes.length; i++) {
      text.append(i == 0 ? "" : ",").append(sizes[i] == UNKNOWN ? "?" : Long.toString(sizes[i]));
    }
    return text.append(']').toString();
  }

  private long[] known() {
    if (sizes == null) {
      throw TributaryException.invalidArgument("the rank of this shape is unknown");
    }
    return sizes;
  }
}
