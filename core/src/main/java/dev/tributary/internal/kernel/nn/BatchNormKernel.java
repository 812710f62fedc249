package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Affine;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.Moments;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * FusedBatchNorm in its versions, float only. In training, outputs 3 and 4 are the mean and
 * variance of the batch, for the gradient; otherwise they are the given ones. Version 3 has one
 * more output for other devices, here a scalar 0.
 */
public final class BatchNormKernel implements Kernel {
  private final String format;
  private final float epsilon;
  private final float factor;
  private final boolean training;
  private final int outputs;
  private final boolean rectified;

  public BatchNormKernel(KernelNode node) {
    requireFloat(node);
    rectified = isRectified(node.attributes());
    Attributes attributes = node.attributes();
    format = attributes.string("data_format");
    epsilon = attributes.real("epsilon");
    factor = attributes.real("exponential_avg_factor");
    training = attributes.bool("is_training");
    outputs = node.outputTypes().size();
  }

  @Override
  public void compute(KernelContext context) {
    Tensor x = context.input(0);
    ChannelGeometry geometry = geometry(format, x.shape());
    boolean readsStatistics = !training || factor != 1;
    for (int i = 1; i < (readsStatistics ? 5 : 3); i++) {
      requireVector(context, i, geometry);
    }
    Tensor y = context.allocateOutput(0, x.shape());
    if (training) {
      train(context, geometry, y);
    } else {
      infer(context, geometry, y);
    }
    finish(context, y);
    if (outputs > 5) {
      Memory.putFloat(context.allocateOutput(5, Shape.scalar()).storage().address(), 0);
    }
  }

  /** Returns whether a fused op ends in Relu. */
  private static boolean isRectified(Attributes attributes) {
    String activation =
        attributes.has("activation_mode") ? attributes.string("activation_mode") : "Identity";
    if (!activation.equals("Identity") && !activation.equals("Relu")) {
      throw TributaryException.unimplemented(
          "no kernel for activation_mode %s; supported: Identity, Relu", activation);
    }
    return activation.equals("Relu");
  }

  /** Adds the side input and applies the activation, where a fused op has them. */
  private void finish(KernelContext context, Tensor y) {
    boolean adds = context.inputCount() > 5;
    if (adds && !context.input(5).shape().equals(y.shape())) {
      throw TributaryException.invalidArgument(
          "side_input must have x's shape %s, got %s", y.shape(), context.input(5).shape());
    }
    for (long i = 0; (adds || rectified) && i < y.elementCount(); i++) {
      float value = y.getFloat(i) + (adds ? context.input(5).getFloat(i) : 0);
      Memory.putFloat(
          y.storage().address() + i * Float.BYTES, rectified ? Math.max(0, value) : value);
    }
  }

  private void train(KernelContext context, ChannelGeometry geometry, Tensor y) {
    Moments updated = allocateMoments(context, 1, geometry);
    Moments saved = allocateMoments(context, 3, geometry);
    context
        .device()
        .backend()
        .batchNormTraining(
            geometry,
            epsilon,
            factor,
            context.input(0).storage().address(),
            affine(context),
            moments(context),
            y.storage().address(),
            updated,
            saved);
  }

  private static Moments allocateMoments(
      KernelContext context, int mean, ChannelGeometry geometry) {
    Shape vector = Shape.of(geometry.channels());
    return new Moments(
        context.allocateOutput(mean, vector).storage().address(),
        context.allocateOutput(mean + 1, vector).storage().address());
  }

  private static Affine affine(KernelContext context) {
    return new Affine(context.input(1).storage().address(), context.input(2).storage().address());
  }

  private static Moments moments(KernelContext context) {
    return new Moments(context.input(3).storage().address(), context.input(4).storage().address());
  }

  private void infer(KernelContext context, ChannelGeometry geometry, Tensor y) {
    Tensor mean = context.input(3);
    Tensor variance = context.input(4);
    for (int i = 1; i < 5; i += 2) {
      context.setOutput(i, mean.retain());
      context.setOutput(i + 1, variance.retain());
    }
    Backend backend = context.device().backend();
    backend.batchNormInference(
        geometry,
        epsilon,
        context.input(0).storage().address(),
        affine(context),
        moments(context),
        y.storage().address());
  }

  /**
   * The gradients by x, scale and offset; the two outputs that stand for mean and variance are
   * empty.
   */
  public static Kernel gradient(KernelNode node) {
    requireFloat(node);
    Attributes attributes = node.attributes();
    String format = attributes.string("data_format");
    float epsilon = attributes.real("epsilon");
    boolean training = attributes.bool("is_training");
    return c -> gradient(c, format, epsilon, training);
  }

  private static void gradient(
      KernelContext context, String format, float epsilon, boolean training) {
    Tensor x = context.input(1);
    ChannelGeometry geometry = geometry(format, x.shape());
    if (!context.input(0).shape().equals(x.shape())) {
      throw TributaryException.invalidArgument(
          "y_backprop must have x's shape %s, got %s", x.shape(), context.input(0).shape());
    }
    for (int i = 2; i < 5; i++) {
      requireVector(context, i, geometry);
    }
    Tensor ofX = context.allocateOutput(0, x.shape());
    Tensor ofScale = context.allocateOutput(1, Shape.of(geometry.channels()));
    Tensor ofOffset = context.allocateOutput(2, Shape.of(geometry.channels()));
    context.allocateOutput(3, Shape.of(0));
    context.allocateOutput(4, Shape.of(0));
    context
        .device()
        .backend()
        .batchNormGradient(
            geometry,
            epsilon,
            training,
            context.input(0).storage().address(),
            x.storage().address(),
            context.input(2).storage().address(),
            moments(context),
            ofX.storage().address(),
            new Affine(ofScale.storage().address(), ofOffset.storage().address()));
  }

  private static ChannelGeometry geometry(String format, Shape x) {
    if (x.rank() != format.length()) {
      throw TributaryException.invalidArgument(
          "x must have rank %d for %s, got shape %s", format.length(), format, x);
    }
    return ChannelShapes.geometry(format, x);
  }

  private static void requireVector(KernelContext context, int i, ChannelGeometry geometry) {
    Shape shape = context.input(i).shape();
    if (shape.rank() != 1 || shape.size(0) != geometry.channels()) {
      throw TributaryException.invalidArgument(
          "input %d must be a vector with one element for each of %d channels, got shape %s",
          i, geometry.channels(), shape);
    }
  }

  private static void requireFloat(KernelNode node) {
    for (DataType type : node.inputTypes()) {
      if (type != DataType.FLOAT) {
        throw TributaryException.unimplemented(
            "no kernel for type %s; supported: float", type.lowerName());
      }
    }
  }
}
