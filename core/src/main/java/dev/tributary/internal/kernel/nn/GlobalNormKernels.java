package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of BatchNormWithGlobalNormalization and its gradient. Each channel, which is the last
 * dimension, has a mean, a variance, an offset (beta) and a scale (gamma).
 */
public final class GlobalNormKernels {
  private GlobalNormKernels() {}

  /** Inputs: images, mean, variance, offset, scale. */
  public static Kernel forward(KernelNode node) {
    ElementTypes.requireReal(node.type());
    float epsilon = node.attributes().real("variance_epsilon");
    boolean scaled = node.attributes().bool("scale_after_normalization");
    return context -> {
      Tensor images = context.input(0);
      for (int i = 1; i < 5; i++) {
        requireChannels(images.shape(), context.input(i));
      }
      Tensor output = context.allocateOutput(0, images.shape());
      double[] mean = Reals.all(context.input(1));
      double[] beta = Reals.all(context.input(3));
      double[] scale = scale(context.input(2), context.input(4), epsilon, scaled);
      for (long i = 0; i < images.elementCount(); i++) {
        int c = (int) (i % mean.length);
        Reals.put(output, i, (Reals.at(images, i) - mean[c]) * scale[c] + beta[c]);
      }
    };
  }

  /**
   * Inputs: images, mean, variance, scale, gradient of the result. Outputs: gradients of images,
   * mean, variance, offset and scale.
   */
  public static Kernel gradient(KernelNode node) {
    ElementTypes.requireReal(node.type());
    float epsilon = node.attributes().real("variance_epsilon");
    boolean scaled = node.attributes().bool("scale_after_normalization");
    return context -> {
      Tensor images = context.input(0);
      Tensor dy = context.input(4);
      for (int i = 1; i < 4; i++) {
        requireChannels(images.shape(), context.input(i));
      }
      if (!dy.shape().equals(images.shape())) {
        throw TributaryException.invalidArgument(
            "backprop must have the images' shape %s, got %s", images.shape(), dy.shape());
      }
      Tensor ofImages = context.allocateOutput(0, images.shape());
      double[] mean = Reals.all(context.input(1));
      double[] variance = Reals.all(context.input(2));
      double[] scale = scale(context.input(2), context.input(3), epsilon, scaled);
      double[] sums = new double[mean.length];
      double[] products = new double[mean.length];
      for (long i = 0; i < images.elementCount(); i++) {
        int c = (int) (i % mean.length);
        double gradient = Reals.at(dy, i);
        sums[c] += gradient;
        products[c] += gradient * (Reals.at(images, i) - mean[c]);
        Reals.put(ofImages, i, gradient * scale[c]);
      }
      Tensor[] of = new Tensor[5];
      for (int i = 1; i < 5; i++) {
        of[i] = context.allocateOutput(i, Shape.of(mean.length));
      }
      for (int c = 0; c < mean.length; c++) {
        double inverse = 1 / (variance[c] + epsilon);
        Reals.put(of[1], c, -sums[c] * scale[c]);
        Reals.put(of[2], c, -0.5 * products[c] * scale[c] * inverse);
        Reals.put(of[3], c, sums[c]);
        Reals.put(of[4], c, scaled ? products[c] * Math.sqrt(inverse) : 0);
      }
    };
  }

  private static double[] scale(Tensor variance, Tensor gamma, float epsilon, boolean scaled) {
    double[] scale = new double[ArrayLength.of(variance.elementCount())];
    for (int c = 0; c < scale.length; c++) {
      scale[c] = (scaled ? Reals.at(gamma, c) : 1) / Math.sqrt(Reals.at(variance, c) + epsilon);
    }
    return scale;
  }

  private static void requireChannels(Shape images, Tensor vector) {
    WindowSpec.requireImage("input", images);
    if (!vector.shape().equals(Shape.of(images.size(3)))) {
      throw TributaryException.invalidArgument(
          "mean, variance, beta and gamma must have shape [%d], one element for each channel,"
              + " got %s",
          images.size(3), vector.shape());
    }
  }
}
