package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.train.variable.VariableScope;
import java.util.List;

/**
 * A transposed convolution of images {@code [n, height, width, channels]}: it spreads each element
 * over a window, and a stride of two doubles height and width. Variables: {@code kernel} of shape
 * {@code [height, width, filters, channels]}, {@code bias}.
 */
public record Conv2DTranspose(
    int filters, int height, int width, ConvOptions options, KernelOptions kernelOptions)
    implements ImageConvolution<Conv2DTranspose> {
  public Conv2DTranspose {
    LayerInputs.requirePositive("Conv2DTranspose", "filters", filters);
    LayerInputs.requirePositive("Conv2DTranspose", "the kernel's size", height, width);
    LayerInputs.requireNoMargins("Conv2DTranspose", options.padding());
  }

  /** Linear, of stride 1 and without padding, with a bias that starts at zero. */
  public static Conv2DTranspose of(int filters, int kernelSize) {
    return new Conv2DTranspose(
        filters,
        kernelSize,
        kernelSize,
        ConvOptions.of(1, Padding.VALID),
        KernelOptions.defaults());
  }

  @Override
  public Conv2DTranspose withKernel(int newHeight, int newWidth) {
    return new Conv2DTranspose(filters, newHeight, newWidth, options, kernelOptions);
  }

  @Override
  public Conv2DTranspose withOptions(ConvOptions newOptions) {
    return new Conv2DTranspose(filters, height, width, newOptions, kernelOptions);
  }

  @Override
  public Conv2DTranspose withKernelOptions(KernelOptions newOptions) {
    return new Conv2DTranspose(filters, height, width, options, newOptions);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Output x = inputs.asOutput();
    long channels = LayerInputs.ofImages("Conv2DTranspose", x);
    Output kernel = kernelOptions.kernel(scope, x, "kernel", height, width, filters, channels);
    Ops tf = scope.tf();
    Output sizes =
        TransposedWindow.sizes(
            tf,
            x,
            filters,
            options.padding(),
            List.of(
                new TransposedWindow(height, options.strideHeight(), options.dilationHeight()),
                new TransposedWindow(width, options.strideWidth(), options.dilationWidth())));
    Output sums = tf.nn.conv2dBackpropInput(sizes, kernel, x, options);
    return kernelOptions.activate(scope, sums, filters);
  }
}
