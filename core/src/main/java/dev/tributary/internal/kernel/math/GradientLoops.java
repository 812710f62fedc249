package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.loop.BinaryLoop;

/**
 * Gradients of functions of one number, from the function's result y and the result's gradient dy.
 */
public final class GradientLoops {
  public static final BinaryLoop TANH =
      BinaryLoop.of().floats((y, dy) -> dy * (1 - y * y)).doubles((y, dy) -> dy * (1 - y * y));

  public static final BinaryLoop SIGMOID =
      BinaryLoop.of().floats((y, dy) -> dy * y * (1 - y)).doubles((y, dy) -> dy * y * (1 - y));

  public static final BinaryLoop SQUARE_ROOT =
      BinaryLoop.of().floats((y, dy) -> dy * 0.5f / y).doubles((y, dy) -> dy * 0.5 / y);

  public static final BinaryLoop RECIPROCAL_SQUARE_ROOT =
      BinaryLoop.of()
          .floats((y, dy) -> dy * -0.5f * y * (y * y))
          .doubles((y, dy) -> dy * -0.5 * y * (y * y));

  public static final BinaryLoop RECIPROCAL =
      BinaryLoop.of().floats((y, dy) -> -dy * y * y).doubles((y, dy) -> -dy * y * y);

  private GradientLoops() {}
}
