package dev.tributary.train.model;

import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Padding;

/**
 * A convolution of images {@code [n, height, width, channels]}.
 *
 * @param <L> the layer's own type
 */
public interface ImageConvolution<L extends ImageConvolution<L>> extends KernelLayer<L> {
  ConvOptions options();

  /** Stride, padding and dilation; images keep their channels last. */
  L withOptions(ConvOptions newOptions);

  /** A kernel that is not square. */
  L withKernel(int newHeight, int newWidth);

  default L withStrides(int stride, Padding padding) {
    return withOptions(ConvOptions.of(stride, padding));
  }
}
