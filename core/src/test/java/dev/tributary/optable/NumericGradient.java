package dev.tributary.optable;

import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * The judge of gradients: central differences of the weighted sum, at every element of a small
 * input and at some of a larger one. The parts of a complex element are two real numbers, of which
 * each has a slope.
 */
final class NumericGradient {
  private static final int ELEMENTS = 24;

  private NumericGradient() {}

  /** Fails where the gradient that the graph computes is not the slope. */
  static void require(CallGradients gradients, OpCall call, long seed) {
    List<Tensor> values = gradients.values();
    try {
      for (int i = 0; i < values.size(); i++) {
        int input = gradients.inputs().get(i);
        require(gradients, input, call.inputs().get(input), values.get(i), new Random(seed));
      }
    } finally {
      values.forEach(Tensor::close);
    }
  }

  private static void require(
      CallGradients gradients, int input, Tensor at, Tensor gradient, Random random) {
    if (gradient.type() != at.type() || !gradient.shape().equals(at.shape())) {
      throw new AssertionError(
          "the gradient of input " + input + " is " + gradient + ", the input is " + at);
    }
    boolean fine = TensorCompare.isWide(at) && areDouble(gradients.weights());
    double tolerance = fine ? 1e-5 : 1e-2;
    for (long element : sample(TensorCompare.realCount(at), random)) {
      double actual = TensorCompare.real(gradient, element);
      double slope = slope(gradients, input, at, element, fine ? 1e-5 : 1e-2);
      if (!(Math.abs(actual - slope) <= tolerance + tolerance * Math.abs(slope))) {
        throw new AssertionError(
            "the gradient of input "
                + input
                + " at element "
                + element
                + " is "
                + actual
                + ", central differences give "
                + slope
                + "\n  gradient "
                + TensorCompare.contents(gradient)
                + "\n  input    "
                + TensorCompare.contents(at));
      }
    }
  }

  /** An output of floats is no finer for a double input. */
  private static boolean areDouble(List<Tensor> outputs) {
    return outputs.stream().allMatch(TensorCompare::isWide);
  }

  private static long[] sample(long count, Random random) {
    return count <= ELEMENTS
        ? LongStream.range(0, count).toArray()
        : random.longs(ELEMENTS, 0, count).toArray();
  }

  private static double slope(
      CallGradients gradients, int input, Tensor at, long element, double step) {
    double x = TensorCompare.real(at, element);
    try (Tensor above = moved(at, element, x + step);
        Tensor below = moved(at, element, x - step)) {
      double distance = TensorCompare.real(above, element) - TensorCompare.real(below, element);
      return (gradients.loss(input, above) - gradients.loss(input, below)) / distance;
    }
  }

  private static Tensor moved(Tensor at, long element, double value) {
    Tensor copy = Tensor.allocate(at.type(), at.shape());
    Memory.copy(at.storage().address(), copy.storage().address(), at.byteSize());
    TensorCompare.putReal(copy, element, value);
    return copy;
  }
}
