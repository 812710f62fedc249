package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.train.variable.VariableScope;

/**
 * A convolution of sequences {@code [n, time, features]} along their time. Variables: {@code
 * kernel} of shape {@code [size, features, filters]}, {@code bias}.
 *
 * @param size how many steps the kernel sees
 * @param dilation the distance of the steps that the kernel sees
 * @param padding SAME or VALID, unless the layer is causal
 * @param causal whether a result depends only on its own step and those before it; there are as
 *     many results as with padding SAME
 */
public record Conv1D(
    int filters,
    int size,
    int stride,
    int dilation,
    Padding padding,
    boolean causal,
    KernelOptions kernelOptions)
    implements KernelLayer<Conv1D> {
  public Conv1D {
    LayerInputs.requirePositive("Conv1D", "filters", filters);
    LayerInputs.requirePositive("Conv1D", "the kernel's size", size);
    LayerInputs.requirePositive("Conv1D", "stride and dilation", stride, dilation);
    LayerInputs.requireNoMargins("Conv1D", padding);
  }

  /** Linear, of stride 1 and without padding, with a bias that starts at zero. */
  public static Conv1D of(int filters, int kernelSize) {
    return new Conv1D(filters, kernelSize, 1, 1, Padding.VALID, false, KernelOptions.defaults());
  }

  public Conv1D withStrides(int newStride, Padding newPadding) {
    return new Conv1D(filters, size, newStride, dilation, newPadding, false, kernelOptions);
  }

  public Conv1D withDilation(int newDilation) {
    return new Conv1D(filters, size, stride, newDilation, padding, causal, kernelOptions);
  }

  /** A result depends only on its own step and those before it. */
  public Conv1D withCausality() {
    return new Conv1D(filters, size, stride, dilation, padding, true, kernelOptions);
  }

  @Override
  public Conv1D withKernelOptions(KernelOptions newOptions) {
    return new Conv1D(filters, size, stride, dilation, padding, causal, newOptions);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Output x = inputs.asOutput();
    long features = LayerInputs.ofSequences("Conv1D", x);
    Output kernel = kernelOptions.kernel(scope, x, "kernel", size, features, filters);
    Ops tf = scope.tf();
    Output rows = tf.conv2d(tf.expandDims(x, 1), tf.expandDims(kernel, 0), options());
    return kernelOptions.activate(scope, tf.squeeze(rows, 1), filters);
  }

  /** The windows of the kernel on images of one row, whose width is the time. */
  private ConvOptions options() {
    ConvOptions options =
        ConvOptions.of(1, padding).withStrides(1, stride).withDilations(1, dilation);
    return causal ? options.withPaddings(0, 0, dilation * (size - 1L), 0) : options;
  }
}
