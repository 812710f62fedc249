package dev.tributary.internal.kernel.training;

import dev.tributary.error.TributaryException;

/**
 * Follow the regularised leader. State: var, accum, linear. Scalars: lr, l1, l2, l2_shrinkage if
 * the rule shrinks, lr_power.
 *
 * @param multiplyLinearByLr whether {@code linear} is kept multiplied by the learning rate
 * @param shrinks whether large values of the variable are added to the gradient
 */
public record Ftrl(boolean multiplyLinearByLr, boolean shrinks) implements UpdateRule {
  @Override
  public void apply(Tile[] state, Tile gradient, double[] scalars, Tile[] scratch) {
    double rate = scalars[0];
    double kept = multiplyLinearByLr ? rate : 1;
    double perRate = multiplyLinearByLr ? 1 : 1 / rate;
    Tile variable = state[0];
    Tile accum = state[1];
    Tile linear = state[2];
    Tile change = scratch[0];
    Tile root = scratch[1];

    double lrPower = scalars[scalars.length - 1];

    change.copy(accum);
    raise(change, lrPower);
    root.square(gradient);
    accum.add(root);
    root.copy(accum);
    raise(root, lrPower);

    change.addScaled(root, -1);
    change.multiply(variable);
    linear.addScaled(gradient, kept);
    if (shrinks) {
      linear.addScaled(variable, 2 * scalars[3] * kept);
    }
    linear.addScaled(change, perRate);

    root.scale(perRate);
    root.offset(2 * scalars[2] * kept);
    root.shrink(linear, scalars[1] * kept);
    variable.copy(root);
  }

  @Override
  public void checkSparse(double[] scalars) {
    boolean goodRate = multiplyLinearByLr ? scalars[0] >= 0 : scalars[0] > 0;
    require(goodRate, "lr is not a positive scalar", scalars[0]);
    require(scalars[1] >= 0, "l1 regularization strength is not a non-negative scalar", scalars[1]);
    require(scalars[2] >= 0, "l2 regularization strength is not a non-negative scalar", scalars[2]);
    if (shrinks) {
      require(
          scalars[3] >= 0,
          "l2 shrinkage regularization strength is not a non-negative scalar",
          scalars[3]);
    }
    double lrPower = scalars[scalars.length - 1];
    require(lrPower <= 0, "lr_power is not a non-positive scalar", lrPower);
  }

  /** {@code accum ^ -lrPower}; the common power is a square root, which is much faster than pow. */
  private static void raise(Tile accum, double lrPower) {
    if (lrPower == -0.5) {
      accum.sqrt();
    } else {
      accum.power(-lrPower);
    }
  }

  private static void require(boolean holds, String otherwise, double got) {
    if (!holds) {
      throw TributaryException.invalidArgument("%s: %s", otherwise, got);
    }
  }
}
