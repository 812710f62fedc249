package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.train.variable.VariableScope;

/**
 * A convolution of images {@code [n, height, width, channels]} in two parts: one of each channel by
 * itself, then one of size 1 that mixes the channels. Variables: {@code depthwise_kernel} of shape
 * {@code [height, width, channels, multiplier]}, {@code pointwise_kernel} of shape {@code [1, 1,
 * channels * multiplier, filters]}, {@code bias}. A kernel initializer is for both kernels.
 *
 * @param multiplier how many channels each channel becomes in the first part
 * @param options stride, padding and dilation of the first part
 */
public record SeparableConv2D(
    int filters,
    int height,
    int width,
    int multiplier,
    ConvOptions options,
    KernelOptions kernelOptions)
    implements ImageConvolution<SeparableConv2D> {
  public SeparableConv2D {
    LayerInputs.requirePositive("SeparableConv2D", "filters", filters);
    LayerInputs.requirePositive("SeparableConv2D", "the kernel's size", height, width);
    LayerInputs.requirePositive("SeparableConv2D", "the multiplier", multiplier);
  }

  /** Linear, of stride 1 and without padding, with a bias that starts at zero. */
  public static SeparableConv2D of(int filters, int kernelSize) {
    return new SeparableConv2D(
        filters,
        kernelSize,
        kernelSize,
        1,
        ConvOptions.of(1, Padding.VALID),
        KernelOptions.defaults());
  }

  public SeparableConv2D withMultiplier(int newMultiplier) {
    return new SeparableConv2D(filters, height, width, newMultiplier, options, kernelOptions);
  }

  @Override
  public SeparableConv2D withKernel(int newHeight, int newWidth) {
    return new SeparableConv2D(filters, newHeight, newWidth, multiplier, options, kernelOptions);
  }

  @Override
  public SeparableConv2D withOptions(ConvOptions newOptions) {
    return new SeparableConv2D(filters, height, width, multiplier, newOptions, kernelOptions);
  }

  @Override
  public SeparableConv2D withKernelOptions(KernelOptions newOptions) {
    return new SeparableConv2D(filters, height, width, multiplier, options, newOptions);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Output x = inputs.asOutput();
    long channels = LayerInputs.ofImages("SeparableConv2D", x);
    long mixed = channels * multiplier;
    Output depthwise =
        kernelOptions.kernel(scope, x, "depthwise_kernel", height, width, channels, multiplier);
    Output pointwise = kernelOptions.kernel(scope, x, "pointwise_kernel", 1, 1, mixed, filters);
    Ops tf = scope.tf();
    Output separate = tf.nn.depthwiseConv2d(x, depthwise, options);
    Output sums = tf.conv2d(separate, pointwise, 1, Padding.VALID);
    return kernelOptions.activate(scope, sums, filters);
  }
}
