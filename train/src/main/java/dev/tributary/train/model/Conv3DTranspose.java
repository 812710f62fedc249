package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.train.variable.VariableScope;
import java.util.List;

/**
 * A transposed convolution of volumes {@code [n, depth, height, width, channels]}. Variables:
 * {@code kernel} of shape {@code [depth, height, width, filters, channels]}, {@code bias}.
 *
 * @param stride by how much depth, height and width grow
 * @param padding SAME or VALID
 */
public record Conv3DTranspose(
    int filters,
    int depth,
    int height,
    int width,
    int stride,
    Padding padding,
    KernelOptions kernelOptions)
    implements KernelLayer<Conv3DTranspose> {
  public Conv3DTranspose {
    LayerInputs.requirePositive("Conv3DTranspose", "filters", filters);
    LayerInputs.requirePositive("Conv3DTranspose", "the kernel's size", depth, height, width);
    LayerInputs.requirePositive("Conv3DTranspose", "the stride", stride);
    LayerInputs.requireNoMargins("Conv3DTranspose", padding);
  }

  /** Linear, of stride 1 and without padding, with a bias that starts at zero. */
  public static Conv3DTranspose of(int filters, int kernelSize) {
    return new Conv3DTranspose(
        filters, kernelSize, kernelSize, kernelSize, 1, Padding.VALID, KernelOptions.defaults());
  }

  /** A kernel that is not a cube. */
  public Conv3DTranspose withKernel(int newDepth, int newHeight, int newWidth) {
    return new Conv3DTranspose(
        filters, newDepth, newHeight, newWidth, stride, padding, kernelOptions);
  }

  public Conv3DTranspose withStrides(int newStride, Padding newPadding) {
    return new Conv3DTranspose(filters, depth, height, width, newStride, newPadding, kernelOptions);
  }

  @Override
  public Conv3DTranspose withKernelOptions(KernelOptions newOptions) {
    return new Conv3DTranspose(filters, depth, height, width, stride, padding, newOptions);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Output x = inputs.asOutput();
    long channels = LayerInputs.ofVolumes("Conv3DTranspose", x);
    Output kernel =
        kernelOptions.kernel(scope, x, "kernel", depth, height, width, filters, channels);
    Ops tf = scope.tf();
    List<TransposedWindow> windows = List.of(window(depth), window(height), window(width));
    Output sizes = TransposedWindow.sizes(tf, x, filters, padding, windows);
    Output sums = tf.nn.conv3dBackpropInput(sizes, kernel, x, stride, padding);
    return kernelOptions.activate(scope, sums, filters);
  }

  private TransposedWindow window(int kernelSize) {
    return new TransposedWindow(kernelSize, stride, 1);
  }
}
