package dev.tributary.internal.kernel.nn;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The scores [time, batch, classes] and lengths of sequences that the CTC kernels read. */
final class CtcInputs {
  private CtcInputs() {}

  static Shape requireScores(Tensor inputs) {
    if (inputs.rank() != 3 || inputs.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "inputs must be [time, batch, classes] and not empty, got shape %s", inputs.shape());
    }
    return inputs.shape();
  }

  /**
   * Reads the lengths.
   *
   * @param otherwise the code of the error for a length that the scores do not have; TensorFlow's
   *     ops differ
   */
  static int[] lengths(Tensor lengths, Shape scores, ErrorCode otherwise) {
    if (!lengths.shape().equals(Shape.of(scores.size(1)))) {
      throw new TributaryException(
          otherwise,
          "sequence_length must have shape [%d], a length for each sequence of the batch, got %s"
              .formatted(scores.size(1), lengths.shape()));
    }
    int[] values = lengths.toInts();
    for (int b = 0; b < values.length; b++) {
      if (values[b] < 0 || values[b] > scores.size(0)) {
        throw new TributaryException(
            otherwise,
            "sequence_length(%d) must be from 0 to %d, got %d"
                .formatted(b, scores.size(0), values[b]));
      }
    }
    return values;
  }

  /** The logarithms of the probabilities of all classes at each step of a sequence. */
  static double[][] logSoftmax(Tensor inputs, int b, int length) {
    int classes = ArrayLength.of(inputs.shape().size(2));
    double[][] log = new double[length][classes];
    for (int t = 0; t < length; t++) {
      double sum = Double.NEGATIVE_INFINITY;
      for (int c = 0; c < classes; c++) {
        log[t][c] = score(inputs, t, b, c);
        sum = logSum(sum, log[t][c]);
      }
      for (int c = 0; c < classes; c++) {
        log[t][c] -= sum;
      }
    }
    return log;
  }

  static double score(Tensor inputs, int t, int b, int c) {
    return Reals.at(inputs, (t * inputs.shape().size(1) + b) * inputs.shape().size(2) + c);
  }

  /** The logarithm of the sum of two numbers whose logarithms are given. */
  static double logSum(double a, double b) {
    double greater = Math.max(a, b);
    return greater == Double.NEGATIVE_INFINITY
        ? greater
        : greater + Math.log1p(Math.exp(Math.min(a, b) - greater));
  }
}
