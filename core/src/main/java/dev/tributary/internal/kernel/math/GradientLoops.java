package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Complex;

/**
 * Gradients of functions of one number, from the function's result y and the result's gradient dy.
 * The complex ones of roots and reciprocals conjugate the derivative, those of tanh and sigmoid are
 * given a conjugate result, as in TensorFlow.
 */
public final class GradientLoops {
  public static final BinaryLoop TANH =
      BinaryLoop.of()
          .floats((y, dy) -> dy * (1 - y * y))
          .doubles((y, dy) -> dy * (1 - y * y))
          .complexes((y, dy) -> dy.times(Complex.ONE.minus(y.square())));

  public static final BinaryLoop SIGMOID =
      BinaryLoop.of()
          .floats((y, dy) -> dy * y * (1 - y))
          .doubles((y, dy) -> dy * y * (1 - y))
          .complexes((y, dy) -> dy.times(y).times(Complex.ONE.minus(y)));

  public static final BinaryLoop SQUARE_ROOT =
      BinaryLoop.of()
          .floats((y, dy) -> dy * 0.5f / y)
          .doubles((y, dy) -> dy * 0.5 / y)
          .complexes((y, dy) -> dy.scale(0.5).dividedBy(y.conjugate()));

  public static final BinaryLoop RECIPROCAL_SQUARE_ROOT =
      BinaryLoop.of()
          .floats((y, dy) -> dy * -0.5f * y * (y * y))
          .doubles((y, dy) -> dy * -0.5 * y * (y * y))
          .complexes((y, dy) -> dy.scale(-0.5).times(y.times(y.square()).conjugate()));

  public static final BinaryLoop RECIPROCAL =
      BinaryLoop.of()
          .floats((y, dy) -> -dy * y * y)
          .doubles((y, dy) -> -dy * y * y)
          .complexes((y, dy) -> dy.negate().times(y.square().conjugate()));

  private GradientLoops() {}
}
