package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;

/**
 * Axis arithmetic: negative axes count from the end, and a tensor seen along an axis is outer x
 * size x inner.
 */
public final class Axes {
  private Axes() {}

  /** The axis counted from the front; INVALID_ARGUMENT if there is none such. */
  public static int resolve(long axis, int rank) {
    if (axis < -rank || axis >= rank) {
      throw TributaryException.invalidArgument(
          "axis %d is not in the range [%d, %d)", axis, -rank, rank);
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  /**
   * Returns how many elements stand before one step of the axis repeats: the product of the sizes
   * before it.
   */
  public static long outer(Shape shape, int axis) {
    return shape.slice(0, axis).elementCount();
  }

  /** The product of the sizes behind the axis. */
  public static long inner(Shape shape, int axis) {
    return shape.slice(axis + 1, shape.rank()).elementCount();
  }
}
