package dev.tributary.optable;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Draws shapes that can be broadcast with each other. */
final class Pairs {
  private Pairs() {}

  /** A shape which broadcasts to the given one: cut at the front, with some sizes 1. */
  static Shape narrower(Draw d, Shape shape) {
    long[] sizes = shape.slice(d.integer(0, shape.rank()), shape.rank()).toArray();
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = d.integer(0, 3) == 0 ? 1 : sizes[i];
    }
    return Shape.of(sizes);
  }

  /** A call with two operands, of which either may be the one that is repeated. */
  static OpCall call(Draw d, Operand left, Operand right) {
    Shape wide = d.shape(0, 4);
    Shape other = d.flip() ? wide : narrower(d, wide);
    return d.flip()
        ? OpCall.of(left.draw(wide), right.draw(other))
        : OpCall.of(left.draw(other), right.draw(wide));
  }

  /** Values for an operand. */
  interface Operand {
    Tensor draw(Shape shape);
  }
}
