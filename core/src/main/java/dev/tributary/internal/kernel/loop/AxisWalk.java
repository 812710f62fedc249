package dev.tributary.internal.kernel.loop;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;

/** A fully known shape seen from one of its axes: {@code [outer, length, inner]}. */
public record AxisWalk(long outer, long length, long inner) {
  /** The walk along an axis, which may be negative; fails when there is no such dimension. */
  public static AxisWalk of(Shape shape, long axis) {
    int rank = shape.rank();
    if (axis < -rank || axis >= rank) {
      throw TributaryException.invalidArgument(
          "Expected dimension in the range [%d, %d), but got %d", -rank, rank, axis);
    }
    int at = (int) (axis < 0 ? axis + rank : axis);
    return new AxisWalk(
        shape.slice(0, at).elementCount(),
        shape.size(at),
        shape.slice(at + 1, rank).elementCount());
  }
}
