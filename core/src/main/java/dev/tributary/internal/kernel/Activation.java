package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;
import java.util.Arrays;

/** The functions that can follow a matrix product or a convolution without a pass of their own. */
public enum Activation {
  NONE("") {
    @Override
    public void apply(double[] values, int count) {}
  },
  RELU("Relu") {
    @Override
    public void apply(double[] values, int count) {
      for (int i = 0; i < count; i++) {
        values[i] = Math.max(values[i], 0);
      }
    }
  },
  RELU6("Relu6") {
    @Override
    public void apply(double[] values, int count) {
      for (int i = 0; i < count; i++) {
        values[i] = Math.min(Math.max(values[i], 0), 6);
      }
    }
  },
  ELU("Elu") {
    @Override
    public void apply(double[] values, int count) {
      for (int i = 0; i < count; i++) {
        values[i] = values[i] < 0 ? Math.expm1(values[i]) : values[i];
      }
    }
  },
  TANH("Tanh") {
    @Override
    public void apply(double[] values, int count) {
      for (int i = 0; i < count; i++) {
        values[i] = Math.tanh(values[i]);
      }
    }
  };

  private final String op;

  Activation(String op) {
    this.op = op;
  }

  /** The activation that an op computes; the op must be one of these functions. */
  public static Activation ofOp(String op) {
    for (Activation activation : values()) {
      if (activation != NONE && activation.op.equals(op)) {
        return activation;
      }
    }
    throw TributaryException.unimplemented(
        "%s cannot follow a bias in a fused op; supported: %s", op, Arrays.toString(values()));
  }

  /** TensorFlow's name of the op that computes it; empty for {@link #NONE}. */
  public String op() {
    return op;
  }

  /** Replaces the first {@code count} values by the function of each. This is the definition. */
  public abstract void apply(double[] values, int count);
}
