package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Padding;
import dev.tributary.train.variable.VariableScope;

/**
 * A convolution of volumes {@code [n, depth, height, width, channels]}. Variables: {@code kernel},
 * {@code bias}.
 *
 * @param stride the step along depth, height and width
 * @param padding SAME or VALID
 */
public record Conv3D(
    int filters,
    int depth,
    int height,
    int width,
    int stride,
    Padding padding,
    KernelOptions kernelOptions)
    implements KernelLayer<Conv3D> {
  public Conv3D {
    LayerInputs.requirePositive("Conv3D", "filters", filters);
    LayerInputs.requirePositive("Conv3D", "the kernel's size", depth, height, width);
    LayerInputs.requirePositive("Conv3D", "the stride", stride);
    LayerInputs.requireNoMargins("Conv3D", padding);
  }

  /** Linear, of stride 1 and without padding, with a bias that starts at zero. */
  public static Conv3D of(int filters, int kernelSize) {
    return new Conv3D(
        filters, kernelSize, kernelSize, kernelSize, 1, Padding.VALID, KernelOptions.defaults());
  }

  /** A kernel that is not a cube. */
  public Conv3D withKernel(int newDepth, int newHeight, int newWidth) {
    return new Conv3D(filters, newDepth, newHeight, newWidth, stride, padding, kernelOptions);
  }

  public Conv3D withStrides(int newStride, Padding newPadding) {
    return new Conv3D(filters, depth, height, width, newStride, newPadding, kernelOptions);
  }

  @Override
  public Conv3D withKernelOptions(KernelOptions newOptions) {
    return new Conv3D(filters, depth, height, width, stride, padding, newOptions);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Output x = inputs.asOutput();
    long channels = LayerInputs.ofVolumes("Conv3D", x);
    Output kernel =
        kernelOptions.kernel(scope, x, "kernel", depth, height, width, channels, filters);
    Output sums = scope.tf().nn.conv3d(x, kernel, stride, padding);
    return kernelOptions.activate(scope, sums, filters);
  }
}
