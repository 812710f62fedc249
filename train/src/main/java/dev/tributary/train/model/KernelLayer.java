package dev.tributary.train.model;

import dev.tributary.train.variable.Initializer;

/**
 * A layer that multiplies its inputs with a trained kernel, adds a bias and applies an activation.
 *
 * @param <L> the layer's own type
 */
public interface KernelLayer<L extends KernelLayer<L>> extends Layer {
  KernelOptions kernelOptions();

  L withKernelOptions(KernelOptions newOptions);

  default L withActivation(Activation newActivation) {
    return withKernelOptions(kernelOptions().withActivation(newActivation));
  }

  default L withoutBias() {
    return withKernelOptions(kernelOptions().withoutBias());
  }

  default L withKernelInitializer(Initializer initializer) {
    return withKernelOptions(kernelOptions().withKernelInitializer(initializer));
  }

  default L withBiasInitializer(Initializer initializer) {
    return withKernelOptions(kernelOptions().withBiasInitializer(initializer));
  }
}
