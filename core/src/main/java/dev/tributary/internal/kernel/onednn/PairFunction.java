package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_add;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_mul;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_sub;

import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.math.Arithmetic;
import java.util.Optional;

/**
 * The functions of two numbers that oneDNN computes just as a loop defines them. Its maximum and
 * minimum are not among them: they lose NaN.
 */
enum PairFunction {
  SUM(Arithmetic.ADD, dnnl_binary_add),
  DIFFERENCE(Arithmetic.SUBTRACT, dnnl_binary_sub),
  PRODUCT(Arithmetic.MULTIPLY, dnnl_binary_mul);

  private static final PairFunction[] VALUES = values();

  private final BinaryLoop definition;
  private final int algorithm;

  PairFunction(BinaryLoop definition, int algorithm) {
    this.definition = definition;
    this.algorithm = algorithm;
  }

  /** The function that a loop defines. */
  static Optional<PairFunction> of(BinaryLoop loop) {
    for (PairFunction function : VALUES) {
      if (function.definition == loop) {
        return Optional.of(function);
      }
    }
    return Optional.empty();
  }

  /** Returns whether it does not matter which number is which. */
  boolean isSymmetric() {
    return this != DIFFERENCE;
  }

  /** oneDNN's name for it. */
  int algorithm() {
    return algorithm;
  }
}
