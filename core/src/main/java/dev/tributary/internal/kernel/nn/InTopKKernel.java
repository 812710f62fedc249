package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;

/**
 * Tells for each row of predictions whether fewer than k are greater than the target's. A target
 * that is no class, or a row in which an infinity or NaN stands in the way of the answer, is never
 * among the best.
 */
public final class InTopKKernel {
  private InTopKKernel() {}

  /** Inputs: predictions, targets. */
  public static void compute(KernelContext context, long k) {
    Tensor predictions = context.input(0);
    Tensor targets = context.input(1);
    if (predictions.rank() != 2
        || targets.rank() != 1
        || predictions.shape().size(0) != targets.elementCount()) {
      throw TributaryException.invalidArgument(
          "predictions must be a matrix and targets a vector with one class a row, got shapes %s"
              + " and %s",
          predictions.shape(), targets.shape());
    }
    long classes = predictions.shape().size(1);
    Tensor output = context.allocateOutput(0, targets.shape());
    for (long row = 0; row < targets.elementCount(); row++) {
      long first = predictions.storage().address() + 4 * row * classes;
      Memory.putBoolean(
          output.storage().address() + row, isAmongBest(first, classes, targets.getIndex(row), k));
    }
  }

  /** With k from the third input. */
  public static void computeFed(KernelContext context) {
    Tensor k = context.input(2);
    if (k.rank() != 0) {
      throw TributaryException.invalidArgument("k must be a scalar, got shape %s", k.shape());
    }
    compute(context, k.getIndex(0));
  }

  private static boolean isAmongBest(long row, long classes, long target, long k) {
    if (target < 0 || target >= classes || !Float.isFinite(Memory.getFloat(row + 4 * target))) {
      return false;
    }
    float wanted = Memory.getFloat(row + 4 * target);
    long better = 0;
    for (long i = 0; i < classes && better <= k; i++) {
      float prediction = Memory.getFloat(row + 4 * i);
      if (!Float.isFinite(prediction)) {
        return false;
      }
      better += prediction > wanted ? 1 : 0;
    }
    return better < k;
  }
}
