package dev.tributary.internal.kernel.training;

import dev.tributary.error.TributaryException;

/**
 * The update rules of TensorFlow's optimizers that also pull variables towards zero, by strengths
 * {@code l1} and {@code l2}. Scalars come in the order in which the ops list them.
 */
public final class RegularizedRules {
  private RegularizedRules() {}

  /** A rule whose scalars have the learning rate at {@code rate}, followed by l1 and l2. */
  private record Regularized(int rate, UpdateRule rule) implements UpdateRule {
    @Override
    public void apply(Tile[] state, Tile gradient, double[] scalars, Tile[] scratch) {
      rule.apply(state, gradient, scalars, scratch);
    }

    @Override
    public void checkSparse(double[] scalars) {
      require(scalars[rate] > 0, "lr is not a positive scalar", scalars[rate]);
      require(
          scalars[rate + 1] >= 0,
          "l1 regularization strength is not a non-negative scalar",
          scalars[rate + 1]);
      require(
          scalars[rate + 2] >= 0,
          "l2 regularization strength is not a non-negative scalar",
          scalars[rate + 2]);
    }

    private static void require(boolean holds, String otherwise, double got) {
      if (!holds) {
        throw TributaryException.invalidArgument("%s: %s", otherwise, got);
      }
    }
  }

  /** State: var. Scalars: alpha, l1, l2. */
  public static UpdateRule proximalGradientDescent() {
    return new Regularized(
        0,
        (state, gradient, scalars, scratch) -> {
          double rate = scalars[0];
          state[0].addScaled(gradient, -rate);
          soften(state[0], rate * scalars[1], scratch[0]);
          state[0].scale(1 / (1 + scalars[2] * rate));
        });
  }

  /** State: var, accum. Scalars: lr, l1, l2. */
  public static UpdateRule proximalAdagrad() {
    return new Regularized(
        0,
        (state, gradient, scalars, scratch) -> {
          Tile rate = scratch[0];
          Tile change = scratch[1];
          change.square(gradient);
          state[1].add(change);
          rate.copy(state[1]);
          rate.power(-0.5);
          rate.scale(scalars[0]);
          change.copy(gradient);
          change.multiply(rate);
          state[0].addScaled(change, -1);
          if (scalars[1] > 0) {
            change.copy(rate);
            change.scale(scalars[1]);
            state[0].soften(change);
          }
          rate.scale(scalars[2]);
          rate.offset(1);
          state[0].divide(rate);
        });
  }

  /**
   * State: var, gradient_accumulator, gradient_squared_accumulator. Scalars: lr, l1, l2,
   * global_step.
   */
  public static UpdateRule adagradDa() {
    return new Regularized(
        0,
        (state, gradient, scalars, scratch) -> {
          double rate = scalars[0];
          double steps = scalars[3];
          Tile root = scratch[0];
          root.square(gradient);
          state[1].add(gradient);
          state[2].add(root);
          state[0].copy(state[1]);
          soften(state[0], scalars[1] * steps, root);
          state[0].scale(-rate);
          root.copy(state[2]);
          root.sqrt();
          root.offset(scalars[2] * steps * rate);
          state[0].divide(root);
        });
  }

  /** Moves a variable towards zero by a threshold, if that is positive. */
  private static void soften(Tile variable, double threshold, Tile scratch) {
    if (threshold > 0) {
      scratch.fill(threshold);
      variable.soften(scratch);
    }
  }
}
