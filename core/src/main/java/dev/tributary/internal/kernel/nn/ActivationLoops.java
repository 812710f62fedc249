package dev.tributary.internal.kernel.nn;

import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.UnaryLoop;

/**
 * Activations as functions of an element, and their gradients as functions of (gradient, feature or
 * output).
 */
public final class ActivationLoops {
  private static final double SELU_SCALE = 1.0507009873554804934193349852946;
  private static final double SELU_SCALE_ALPHA = 1.7580993408473768599402175208123;

  public static final UnaryLoop RELU =
      UnaryLoop.of()
          .floats(x -> Math.max(x, 0f))
          .doubles(x -> Math.max(x, 0.0))
          .ints(x -> Math.max(x, 0))
          .longs(x -> Math.max(x, 0L));

  public static final BinaryLoop RELU_GRADIENT =
      BinaryLoop.of()
          .floats((dy, x) -> x > 0 ? dy : 0)
          .doubles((dy, x) -> x > 0 ? dy : 0)
          .ints((dy, x) -> x > 0 ? dy : 0)
          .longs((dy, x) -> x > 0 ? dy : 0);

  /**
   * {@link #RELU_GRADIENT} of the bits of floats. The compiler makes branches of the choice, half
   * of which are mispredicted (3 to 4 ns an element); on bits there is none to make, and the loop
   * is vectorised.
   */
  static final BinaryLoop RELU_GRADIENT_BITS = BinaryLoop.of().ints((dy, x) -> dy & positive(x));

  public static final UnaryLoop RELU6 =
      UnaryLoop.of()
          .floats(x -> Math.min(Math.max(x, 0f), 6f))
          .doubles(x -> Math.min(Math.max(x, 0.0), 6.0))
          .ints(x -> Math.min(Math.max(x, 0), 6))
          .longs(x -> Math.min(Math.max(x, 0L), 6L));

  public static final BinaryLoop RELU6_GRADIENT =
      BinaryLoop.of()
          .floats((dy, x) -> x > 0 && x < 6 ? dy : 0)
          .doubles((dy, x) -> x > 0 && x < 6 ? dy : 0)
          .ints((dy, x) -> x > 0 && x < 6 ? dy : 0)
          .longs((dy, x) -> x > 0 && x < 6 ? dy : 0);

  public static final UnaryLoop ELU =
      UnaryLoop.of()
          .floats(x -> x < 0 ? (float) Math.expm1(x) : x)
          .doubles(x -> x < 0 ? Math.expm1(x) : x);

  public static final BinaryLoop ELU_GRADIENT =
      BinaryLoop.of()
          .floats((dy, y) -> y < 0 ? (y + 1) * dy : dy)
          .doubles((dy, y) -> y < 0 ? (y + 1) * dy : dy);

  public static final UnaryLoop SELU =
      UnaryLoop.of().floats(x -> (float) selu(x)).doubles(ActivationLoops::selu);

  public static final BinaryLoop SELU_GRADIENT =
      BinaryLoop.of()
          .floats((dy, y) -> (float) seluGradient(dy, y))
          .doubles(ActivationLoops::seluGradient);

  public static final UnaryLoop SOFTPLUS =
      UnaryLoop.of().floats(x -> (float) softplus(x)).doubles(ActivationLoops::softplus);

  public static final BinaryLoop SOFTPLUS_GRADIENT =
      BinaryLoop.of()
          .floats((dy, x) -> (float) (dy / (Math.exp(-x) + 1)))
          .doubles((dy, x) -> dy / (Math.exp(-x) + 1));

  public static final UnaryLoop SOFTSIGN =
      UnaryLoop.of().floats(x -> x / (1 + Math.abs(x))).doubles(x -> x / (1 + Math.abs(x)));

  public static final BinaryLoop SOFTSIGN_GRADIENT =
      BinaryLoop.of()
          .floats((dy, x) -> dy / ((1 + Math.abs(x)) * (1 + Math.abs(x))))
          .doubles((dy, x) -> dy / ((1 + Math.abs(x)) * (1 + Math.abs(x))));

  /** Of (feature, alpha). */
  static final BinaryLoop LEAKY_RELU =
      BinaryLoop.of()
          .floats((x, alpha) -> x > 0 ? x : x * alpha)
          .doubles((x, alpha) -> x > 0 ? x : x * alpha);

  /** The slope of (feature, alpha), by which the gradient is to be multiplied. */
  static final BinaryLoop LEAKY_RELU_SLOPE =
      BinaryLoop.of()
          .floats((x, alpha) -> x > 0 ? 1 : alpha)
          .doubles((x, alpha) -> x > 0 ? 1 : alpha);

  static final BinaryLoop PRODUCT =
      BinaryLoop.of().floats((x, y) -> x * y).doubles((x, y) -> x * y);

  private ActivationLoops() {}

  /** All ones if these are the bits of a float above 0, infinity included; else none. */
  private static int positive(int bits) {
    int infinity = 0x7f800000;
    // None of the three is negative: not bits of 0, of NaN beyond infinity, or with a sign.
    return ~(bits - 1 | infinity - bits | bits) >> 31;
  }

  private static double selu(double x) {
    return x < 0 ? SELU_SCALE_ALPHA * Math.expm1(x) : SELU_SCALE * x;
  }

  private static double seluGradient(double dy, double y) {
    return y < 0 ? dy * (y + SELU_SCALE_ALPHA) : dy * SELU_SCALE;
  }

  /** The form whose exponential cannot overflow. */
  private static double softplus(double x) {
    return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
  }
}
