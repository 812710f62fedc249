package dev.tributary.kernel;

/** The functions that can follow a matrix product or a convolution without a pass of their own. */
public enum Activation {
  NONE {
    @Override
    public void apply(double[] values, int count) {}
  },
  RELU {
    @Override
    public void apply(double[] values, int count) {
      for (int i = 0; i < count; i++) {
        values[i] = Math.max(values[i], 0);
      }
    }
  },
  RELU6 {
    @Override
    public void apply(double[] values, int count) {
      for (int i = 0; i < count; i++) {
        values[i] = Math.min(Math.max(values[i], 0), 6);
      }
    }
  },
  ELU {
    @Override
    public void apply(double[] values, int count) {
      for (int i = 0; i < count; i++) {
        values[i] = values[i] < 0 ? Math.expm1(values[i]) : values[i];
      }
    }
  },
  TANH {
    @Override
    public void apply(double[] values, int count) {
      for (int i = 0; i < count; i++) {
        values[i] = Math.tanh(values[i]);
      }
    }
  };

  /** Replaces the first {@code count} values by the function of each. This is the definition. */
  public abstract void apply(double[] values, int count);
}
