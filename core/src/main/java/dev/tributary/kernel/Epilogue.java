package dev.tributary.kernel;

/**
 * What is done to each element of a product or convolution before it is stored: {@code activation(x
 * + bias)}. Native code may give 0 for the larger of NaN and 0, so behind RELU and RELU6 a NaN can
 * become 0.
 *
 * @param bias whether there is a bias, with one number for each column of a product or each output
 *     channel of a convolution
 */
public record Epilogue(boolean bias, Activation activation) {
  /** Elements are stored as they are. */
  public static final Epilogue NONE = new Epilogue(false, Activation.NONE);

  /** A bias and nothing else. */
  public static final Epilogue BIAS = biasThen(Activation.NONE);

  public static Epilogue biasThen(Activation activation) {
    return new Epilogue(true, activation);
  }

  /** Whether nothing is done. */
  public boolean isNone() {
    return !bias && activation == Activation.NONE;
  }
}
