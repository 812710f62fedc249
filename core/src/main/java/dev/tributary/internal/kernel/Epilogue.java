package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;
import java.util.List;

/**
 * The function that is applied to each element of a product or convolution: {@code activation(x +
 * bias)}. A NaN stays one behind every activation.
 *
 * @param bias whether there is a bias, with one number for each column of a product or each output
 *     channel of a convolution
 */
public record Epilogue(boolean bias, Activation activation) {
  private static final String BIAS_OP = "BiasAdd";

  /** Elements are stored as they are. */
  public static final Epilogue NONE = new Epilogue(false, Activation.NONE);

  /** A bias and nothing else. */
  public static final Epilogue BIAS = biasThen(Activation.NONE);

  public static Epilogue biasThen(Activation activation) {
    return new Epilogue(true, activation);
  }

  /** Reads the attribute {@code fused_ops} of a fused op: a bias, and a function or none. */
  public static Epilogue ofFusedOps(List<String> ops) {
    if (ops.isEmpty() || ops.size() > 2 || !ops.get(0).equals(BIAS_OP)) {
      throw TributaryException.unimplemented(
          "fused ops must be %s and at most one activation, got %s", BIAS_OP, ops);
    }
    return biasThen(ops.size() == 1 ? Activation.NONE : Activation.ofOp(ops.get(1)));
  }

  /** The attribute {@code fused_ops} of an epilogue with a bias. */
  public List<String> fusedOps() {
    return activation == Activation.NONE ? List.of(BIAS_OP) : List.of(BIAS_OP, activation.op());
  }

  /** Returns whether nothing is done. */
  public boolean isNone() {
    return !bias && activation == Activation.NONE;
  }
}
