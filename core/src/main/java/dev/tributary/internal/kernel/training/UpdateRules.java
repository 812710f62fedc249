package dev.tributary.internal.kernel.training;

/**
 * The update rules of TensorFlow's optimizers. Scalars come in the order in which the ops list
 * them.
 */
public final class UpdateRules {
  private UpdateRules() {}

  /** State: var. Scalars: alpha. */
  public static UpdateRule gradientDescent() {
    return (state, gradient, scalars, scratch) -> state[0].addScaled(gradient, -scalars[0]);
  }

  /** State: var, accum. Scalars: lr, momentum. */
  public static UpdateRule momentum(boolean useNesterov) {
    return (state, gradient, scalars, scratch) -> {
      double rate = scalars[0];
      double momentum = scalars[1];
      Tile accum = state[1];
      accum.scale(momentum);
      accum.add(gradient);
      if (useNesterov) {
        state[0].addScaled(gradient, -rate);
        state[0].addScaled(accum, -momentum * rate);
      } else {
        state[0].addScaled(accum, -rate);
      }
    };
  }

  /** State: var, accum. Scalars: lr. */
  public static UpdateRule adagrad(boolean updateSlots) {
    return (state, gradient, scalars, scratch) -> {
      Tile accum = state[1];
      Tile root = scratch[0];
      Tile change = scratch[1];
      if (updateSlots) {
        root.square(gradient);
        accum.add(root);
      }
      root.copy(accum);
      root.sqrt();
      change.copy(gradient);
      change.divide(root);
      state[0].addScaled(change, -scalars[0]);
    };
  }

  /** State: var, m, v. Scalars: beta1_power, beta2_power, lr, beta1, beta2, epsilon. */
  public static UpdateRule adam(boolean useNesterov) {
    return (state, gradient, scalars, scratch) -> {
      double rate = scalars[2] * Math.sqrt(1 - scalars[1]) / (1 - scalars[0]);
      double beta1 = scalars[3];
      Tile m = state[1];
      Tile v = state[2];
      Tile root = scratch[0];
      Tile change = scratch[1];
      m.approach(gradient, 1 - beta1);
      root.square(gradient);
      v.approach(root, 1 - scalars[4]);
      root.copy(v);
      root.sqrt();
      root.offset(scalars[5]);
      change.copy(m);
      if (useNesterov) {
        change.scale(beta1);
        change.addScaled(gradient, 1 - beta1);
      }
      change.divide(root);
      state[0].addScaled(change, -rate);
    };
  }

  /** State: var, ms, mom. Scalars: lr, rho, momentum, epsilon. */
  public static UpdateRule rmsProp() {
    return (state, gradient, scalars, scratch) -> {
      Tile meanSquare = state[1];
      Tile momentum = state[2];
      Tile root = scratch[0];
      Tile change = scratch[1];
      root.square(gradient);
      meanSquare.approach(root, 1 - scalars[1]);
      root.copy(meanSquare);
      root.offset(scalars[3]);
      root.sqrt();
      change.copy(gradient);
      change.divide(root);
      momentum.scale(scalars[2]);
      momentum.addScaled(change, scalars[0]);
      state[0].addScaled(momentum, -1);
    };
  }

  /** State: var, mg, ms, mom. Scalars: lr, rho, momentum, epsilon. */
  public static UpdateRule centeredRmsProp() {
    return (state, gradient, scalars, scratch) -> {
      double rate = 1 - scalars[1];
      Tile mean = state[1];
      Tile meanSquare = state[2];
      Tile momentum = state[3];
      Tile root = scratch[0];
      Tile change = scratch[1];
      root.square(gradient);
      meanSquare.approach(root, rate);
      mean.approach(gradient, rate);
      root.square(mean);
      root.scale(-1);
      root.add(meanSquare);
      root.offset(scalars[3]);
      root.sqrt();
      change.copy(gradient);
      change.divide(root);
      momentum.scale(scalars[2]);
      momentum.addScaled(change, scalars[0]);
      state[0].addScaled(momentum, -1);
    };
  }

  /** State: var, accum, accum_update. Scalars: lr, rho, epsilon. */
  public static UpdateRule adadelta() {
    return (state, gradient, scalars, scratch) -> {
      double rate = 1 - scalars[1];
      double epsilon = scalars[2];
      Tile accum = state[1];
      Tile accumUpdate = state[2];
      Tile root = scratch[0];
      Tile change = scratch[1];
      root.square(gradient);
      accum.approach(root, rate);
      root.copy(accum);
      root.offset(epsilon);
      root.sqrt();
      change.copy(accumUpdate);
      change.offset(epsilon);
      change.sqrt();
      change.divide(root);
      change.multiply(gradient);
      state[0].addScaled(change, -scalars[0]);
      change.square(change);
      accumUpdate.approach(change, rate);
    };
  }

  /** State: var, accum. Scalars: lr, momentum. The learning rate is part of what is accumulated. */
  public static UpdateRule kerasMomentum(boolean useNesterov) {
    return (state, gradient, scalars, scratch) -> {
      double rate = scalars[0];
      double momentum = scalars[1];
      Tile accum = state[1];
      accum.scale(momentum);
      accum.addScaled(gradient, -rate);
      if (useNesterov) {
        state[0].addScaled(accum, momentum);
        state[0].addScaled(gradient, -rate);
      } else {
        state[0].add(accum);
      }
    };
  }

  /** State: var, accum. Scalars: lr, epsilon. */
  public static UpdateRule adagradV2(boolean updateSlots) {
    return (state, gradient, scalars, scratch) -> {
      Tile accum = state[1];
      Tile root = scratch[0];
      Tile change = scratch[1];
      if (updateSlots) {
        root.square(gradient);
        accum.add(root);
      }
      root.copy(accum);
      root.sqrt();
      root.offset(scalars[1]);
      change.copy(gradient);
      change.divide(root);
      state[0].addScaled(change, -scalars[0]);
    };
  }

  /** State: var, m, v. Scalars: beta1_power, lr, beta1, beta2, epsilon. */
  public static UpdateRule adaMax() {
    return (state, gradient, scalars, scratch) -> {
      Tile m = state[1];
      Tile v = state[2];
      Tile root = scratch[0];
      Tile change = scratch[1];
      m.approach(gradient, 1 - scalars[2]);
      v.scale(scalars[3]);
      v.raiseTo(gradient);
      root.copy(v);
      root.offset(scalars[4]);
      change.copy(m);
      change.divide(root);
      state[0].addScaled(change, -scalars[1] / (1 - scalars[0]));
    };
  }

  /** State: var, m, v, vhat. Scalars: beta1_power, beta2_power, lr, beta1, beta2, epsilon. */
  public static UpdateRule adamWithAmsgrad() {
    return (state, gradient, scalars, scratch) -> {
      double rate = scalars[2] * Math.sqrt(1 - scalars[1]) / (1 - scalars[0]);
      Tile m = state[1];
      Tile v = state[2];
      Tile greatest = state[3];
      Tile root = scratch[0];
      Tile change = scratch[1];
      m.approach(gradient, 1 - scalars[3]);
      root.square(gradient);
      v.approach(root, 1 - scalars[4]);
      greatest.raiseTo(v);
      root.copy(greatest);
      root.sqrt();
      root.offset(scalars[5]);
      change.copy(m);
      change.divide(root);
      state[0].addScaled(change, -rate);
    };
  }

  /** State: var, m. Scalars: lr, alpha, sign_decay, beta. */
  public static UpdateRule addSign() {
    return (state, gradient, scalars, scratch) -> {
      Tile change = scratch[0];
      state[1].approach(gradient, 1 - scalars[3]);
      change.signs(gradient, state[1]);
      change.scale(scalars[2]);
      change.offset(scalars[1]);
      change.multiply(gradient);
      state[0].addScaled(change, -scalars[0]);
    };
  }

  /** State: var, m. Scalars: lr, logbase, sign_decay, beta. */
  public static UpdateRule powerSign() {
    return (state, gradient, scalars, scratch) -> {
      Tile change = scratch[0];
      state[1].approach(gradient, 1 - scalars[3]);
      change.signs(gradient, state[1]);
      change.scale(scalars[1] * scalars[2]);
      change.exp();
      change.multiply(gradient);
      state[0].addScaled(change, -scalars[0]);
    };
  }
}
