package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Padding;
import dev.tributary.train.variable.VariableScope;

/**
 * A convolution of each channel of images {@code [n, height, width, channels]} by itself.
 * Variables: {@code depthwise_kernel} of shape {@code [height, width, channels, multiplier]},
 * {@code bias}.
 *
 * @param multiplier how many channels each channel becomes
 */
public record DepthwiseConv2D(
    int height, int width, int multiplier, ConvOptions options, KernelOptions kernelOptions)
    implements ImageConvolution<DepthwiseConv2D> {
  public DepthwiseConv2D {
    LayerInputs.requirePositive("DepthwiseConv2D", "the kernel's size", height, width);
    LayerInputs.requirePositive("DepthwiseConv2D", "the multiplier", multiplier);
  }

  /** Linear, of stride 1 and without padding, with a bias that starts at zero. */
  public static DepthwiseConv2D of(int kernelSize) {
    return new DepthwiseConv2D(
        kernelSize, kernelSize, 1, ConvOptions.of(1, Padding.VALID), KernelOptions.defaults());
  }

  public DepthwiseConv2D withMultiplier(int newMultiplier) {
    return new DepthwiseConv2D(height, width, newMultiplier, options, kernelOptions);
  }

  @Override
  public DepthwiseConv2D withKernel(int newHeight, int newWidth) {
    return new DepthwiseConv2D(newHeight, newWidth, multiplier, options, kernelOptions);
  }

  @Override
  public DepthwiseConv2D withOptions(ConvOptions newOptions) {
    return new DepthwiseConv2D(height, width, multiplier, newOptions, kernelOptions);
  }

  @Override
  public DepthwiseConv2D withKernelOptions(KernelOptions newOptions) {
    return new DepthwiseConv2D(height, width, multiplier, options, newOptions);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Output x = inputs.asOutput();
    long channels = LayerInputs.ofImages("DepthwiseConv2D", x);
    Output kernel =
        kernelOptions.kernel(scope, x, "depthwise_kernel", height, width, channels, multiplier);
    Output sums = scope.tf().nn.depthwiseConv2d(x, kernel, options);
    return kernelOptions.activate(scope, sums, channels * multiplier);
  }
}
