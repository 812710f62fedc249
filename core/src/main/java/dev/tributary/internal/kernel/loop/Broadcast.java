package dev.tributary.internal.kernel.loop;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.Arrays;

/**
 * The pairing of elements of operands with different shapes: aligned at their last dimensions, with
 * size 1 repeated as often as needed. Static methods answer for shapes of which not all is known;
 * an instance serves loops. Immutable.
 */
public final class Broadcast {
  private final Shape result;
  private final long elementCount;
  private final Collapse walk;

  private Broadcast(Shape result, Collapse walk) {
    this.result = result;
    this.elementCount = result.elementCount();
    this.walk = walk;
  }

  /** The dimensions over which the gradient of a broadcast result is summed, for either operand. */
  public record ReductionAxes(int[] left, int[] right) {}

  /** Returns the shape that two shapes broadcast to, as far as known; fails when they cannot. */
  public static Shape shape(Shape left, Shape right) {
    if (!left.hasRank() || !right.hasRank()) {
      return Shape.unknown();
    }
    if (left.equals(right) && left.isFullyDefined()) {
      return left;
    }
    long[] sizes = new long[Math.max(left.rank(), right.rank())];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = common(sizeAt(left, i, sizes.length), sizeAt(right, i, sizes.length), left, right);
    }
    return Shape.of(sizes);
  }

  /** Returns the shape that any number of shapes broadcast to. */
  public static Shape shape(Shape first, Shape second, Shape... more) {
    Shape all = shape(first, second);
    for (Shape next : more) {
      all = shape(all, next);
    }
    return all;
  }

  /** The walk over operands of these fully known shapes. */
  public static Broadcast of(Shape... operands) {
    Shape result = operands[0];
    boolean same = true;
    for (int i = 1; i < operands.length; i++) {
      if (!operands[i].equals(operands[0])) {
        same = false;
        result = shape(result, operands[i]);
      }
    }
    if (!result.isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "loops need fully known shapes, got %s", Arrays.toString(operands));
    }
    if (same) {
      return new Broadcast(result, Collapse.dense(result.elementCount(), operands.length));
    }
    long[] sizes = result.toArray();
    long[][] strides = new long[operands.length][];
    for (int i = 0; i < operands.length; i++) {
      strides[i] = repeatedStrides(operands[i], sizes);
    }
    return new Broadcast(result, Collapse.of(sizes, strides));
  }

  /**
   * Returns where the gradients of two broadcast operands are to be summed, as {@code
   * BroadcastGradientArgs} says it: all dimensions in which an operand has size 1 or none, unless
   * both shapes are the same.
   */
  public static ReductionAxes reductionAxes(Shape left, Shape right) {
    Shape both = shape(left, right);
    if (left.equals(right)) {
      return new ReductionAxes(new int[0], new int[0]);
    }
    return new ReductionAxes(repeatedAxes(left, both.rank()), repeatedAxes(right, both.rank()));
  }

  /**
   * The steps in elements, seen from a result of these sizes, through an operand that is repeated
   * where it is smaller.
   */
  public static long[] repeatedStrides(Shape operand, long[] sizes) {
    long[] own = operand.strides();
    long[] strides = new long[sizes.length];
    int missing = sizes.length - own.length;
    for (int i = missing; i < sizes.length; i++) {
      strides[i] = operand.size(i - missing) == 1 ? 0 : own[i - missing];
    }
    return strides;
  }

  /** The element of a repeated operand that element {@code i} of the result goes with. */
  public static long repeated(Shape operand, Shape result, long i) {
    long[] sizes = result.toArray();
    long[] strides = repeatedStrides(operand, sizes);
    long rest = i;
    long place = 0;
    for (int d = sizes.length - 1; d >= 0; d--) {
      place += rest % sizes[d] * strides[d];
      rest /= sizes[d];
    }
    return place;
  }

  public Shape result() {
    return result;
  }

  public long elementCount() {
    return elementCount;
  }

  /**
   * Returns whether an operand is not repeated but read in the order in which results are written.
   */
  public boolean isDense(int operand) {
    return isFlat() && walk.strides[operand][0] == 1;
  }

  /**
   * Returns whether each operand is dense or a single element, so that the walk can be cut
   * anywhere.
   */
  public boolean isFlat() {
    return walk.sizes.length == 1;
  }

  /** A flat walk over {@code count} elements with the same steps. */
  Broadcast cut(long count) {
    return new Broadcast(Shape.of(count), walk.cut(count));
  }

  long[] sizes() {
    return walk.sizes;
  }

  long[] strides(int operand) {
    return walk.strides[operand];
  }

  /**
   * The element of an operand that meets the result's element {@code index}: for loops that have no
   * tiles.
   */
  public long offset(int operand, long index) {
    long[] steps = walk.strides[operand];
    long offset = 0;
    for (int i = steps.length - 1; i >= 0; i--) {
      long above = index / walk.sizes[i];
      offset += (index - above * walk.sizes[i]) * steps[i];
      index = above;
    }
    return offset;
  }

  private static long sizeAt(Shape shape, int i, int rank) {
    int own = i - (rank - shape.rank());
    return own < 0 ? 1 : shape.size(own);
  }

  private static long common(long left, long right, Shape leftShape, Shape rightShape) {
    if (left == 1 || left == right) {
      return right;
    }
    if (right == 1) {
      return left;
    }
    if (left != Shape.UNKNOWN && right != Shape.UNKNOWN) {
      throw TributaryException.invalidArgument(
          "Incompatible shapes: %s vs. %s", leftShape, rightShape);
    }
    // One is unknown, and so must be 1 or the other; but a known 0 could also meet a 1.
    long known = Math.max(left, right);
    return known > 1 ? known : Shape.UNKNOWN;
  }

  private static int[] repeatedAxes(Shape operand, int rank) {
    int[] axes = new int[rank];
    int count = 0;
    for (int i = 0; i < rank; i++) {
      if (sizeAt(operand, i, rank) == 1) {
        axes[count++] = i;
      }
    }
    return Arrays.copyOf(axes, count);
  }
}
