package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Padding;
import dev.tributary.train.variable.VariableScope;

/**
 * A convolution of images {@code [n, height, width, channels]}. Variables: {@code kernel}, {@code
 * bias}.
 */
public record Conv2D(
    int filters, int height, int width, ConvOptions options, KernelOptions kernelOptions)
    implements ImageConvolution<Conv2D> {
  public Conv2D {
    LayerInputs.requirePositive("Conv2D", "filters", filters);
    LayerInputs.requirePositive("Conv2D", "the kernel's size", height, width);
  }

  /** Linear, of stride 1 and without padding, with a bias that starts at zero. */
  public static Conv2D of(int filters, int kernelSize) {
    return new Conv2D(
        filters,
        kernelSize,
        kernelSize,
        ConvOptions.of(1, Padding.VALID),
        KernelOptions.defaults());
  }

  public Conv2D withFilters(int count) {
    return new Conv2D(count, height, width, options, kernelOptions);
  }

  @Override
  public Conv2D withKernel(int newHeight, int newWidth) {
    return new Conv2D(filters, newHeight, newWidth, options, kernelOptions);
  }

  @Override
  public Conv2D withOptions(ConvOptions newOptions) {
    return new Conv2D(filters, height, width, newOptions, kernelOptions);
  }

  @Override
  public Conv2D withKernelOptions(KernelOptions newOptions) {
    return new Conv2D(filters, height, width, options, newOptions);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Output x = inputs.asOutput();
    long channels = LayerInputs.ofImages("Conv2D", x);
    Output kernel = kernelOptions.kernel(scope, x, "kernel", height, width, channels, filters);
    return kernelOptions.activate(scope, scope.tf().conv2d(x, kernel, options), filters);
  }
}
