package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.Affine;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.Moments;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Convolutions and their gradients, plain and depthwise: what differs is in the {@link ConvSpec}.
 */
public final class ConvKernels {
  private ConvKernels() {}

  /** Inputs: image, filter. */
  public static void forward(KernelContext context, ConvSpec spec) {
    forward(context, spec, context.input(0), context.input(1));
  }

  static void forward(KernelContext context, ConvSpec spec, Tensor image, Tensor filter) {
    ConvGeometry geometry = spec.geometry(image.shape(), filter.shape());
    Tensor output = context.allocateOutput(0, spec.output(image.shape(), filter.shape()));
    if (output.elementCount() > 0) {
      context
          .device()
          .backend()
          .convolution(
              image.type(),
              geometry,
              image.storage().address(),
              filter.storage().address(),
              output.storage().address());
    }
  }

  /** Inputs: image, filter, bias with one element for each output channel. */
  public static void fused(KernelContext context, ConvSpec spec, Epilogue epilogue) {
    Tensor image = context.input(0);
    Tensor filter = context.input(1);
    Tensor bias = context.input(2);
    ConvGeometry geometry = spec.geometry(image.shape(), filter.shape());
    if (!bias.shape().equals(Shape.of(geometry.outChannels()))) {
      throw TributaryException.invalidArgument(
          "the bias must be a vector with one element for each of the %d channels, got shape %s",
          geometry.outChannels(), bias.shape());
    }
    Tensor output = context.allocateOutput(0, spec.output(image.shape(), filter.shape()));
    if (output.elementCount() > 0) {
      context
          .device()
          .backend()
          .convolution(
              image.type(),
              geometry,
              epilogue,
              image.storage().address(),
              filter.storage().address(),
              bias.storage().address(),
              output.storage().address());
    }
  }

  /** Inputs: image, filter, and scale, offset, mean and variance of each output channel. */
  public static void normalized(
      KernelContext context, ConvSpec spec, float epsilon, Activation activation) {
    Tensor image = context.input(0);
    Tensor filter = context.input(1);
    ConvGeometry geometry = spec.geometry(image.shape(), filter.shape());
    for (int i = 2; i < 6; i++) {
      if (!context.input(i).shape().equals(Shape.of(geometry.outChannels()))) {
        throw TributaryException.invalidArgument(
            "input %d must be a vector with one element for each of %d channels, got shape %s",
            i, geometry.outChannels(), context.input(i).shape());
      }
    }
    Tensor output = context.allocateOutput(0, spec.output(image.shape(), filter.shape()));
    if (output.elementCount() > 0) {
      context
          .device()
          .backend()
          .normalizedConvolution(
              geometry,
              epsilon,
              activation,
              image.storage().address(),
              filter.storage().address(),
              new Affine(address(context, 2), address(context, 3)),
              new Moments(address(context, 4), address(context, 5)),
              output.storage().address());
    }
  }

  private static long address(KernelContext context, int input) {
    return context.input(input).storage().address();
  }

  /** Inputs: sizes of the image, filter, gradient of the result. */
  public static void inputGradient(KernelContext context, ConvSpec spec) {
    Tensor filter = context.input(1);
    Tensor gradient = context.input(2);
    WindowSpec.requireImage("filter", filter.shape());
    WindowSpec.requireImage("out_backprop", gradient.shape());
    Shape image =
        spec.image(IndexTensors.toShape(context.input(0)), filter.shape(), gradient.shape());
    ConvGeometry geometry = spec.geometry(image, filter.shape());
    requireGradient(gradient, spec.output(image, filter.shape()));
    Tensor output = context.allocateOutput(0, image);
    if (gradient.elementCount() == 0) {
      Memory.fill(output.storage().address(), output.byteSize(), (byte) 0);
    } else {
      context
          .device()
          .backend()
          .convolutionInputGradient(
              gradient.type(),
              geometry,
              filter.storage().address(),
              gradient.storage().address(),
              output.storage().address());
    }
  }

  /** Inputs: image, sizes of the filter, gradient of the result. */
  public static void filterGradient(KernelContext context, ConvSpec spec) {
    Tensor image = context.input(0);
    Tensor gradient = context.input(2);
    Shape filter = IndexTensors.toShape(context.input(1));
    ConvGeometry geometry = spec.geometry(image.shape(), filter);
    requireGradient(gradient, spec.output(image.shape(), filter));
    Tensor output = context.allocateOutput(0, filter);
    if (gradient.elementCount() == 0) {
      Memory.fill(output.storage().address(), output.byteSize(), (byte) 0);
    } else {
      context
          .device()
          .backend()
          .convolutionFilterGradient(
              gradient.type(),
              geometry,
              image.storage().address(),
              gradient.storage().address(),
              output.storage().address());
    }
  }

  private static void requireGradient(Tensor gradient, Shape wanted) {
    if (!gradient.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "out_backprop must have the result's shape %s, got %s", wanted, gradient.shape());
    }
  }
}
