package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.Initializer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.Optional;

/**
 * A convolution of images {@code [n, height, width, channels]}. Variables: {@code kernel}, {@code
 * bias}.
 */
public record Conv2D(
    int filters,
    int height,
    int width,
    ConvOptions options,
    Activation activation,
    boolean useBias,
    Optional<Initializer> kernelInitializer,
    Initializer biasInitializer)
    implements Layer {
  /** Linear, of stride 1 and without padding, with a bias that starts at zero. */
  public static Conv2D of(int filters, int kernelSize) {
    return new Conv2D(
        filters,
        kernelSize,
        kernelSize,
        ConvOptions.of(1, Padding.VALID),
        Activation.LINEAR,
        true,
        Optional.empty(),
        Initializers.zeros());
  }

  public Conv2D withFilters(int count) {
    return new Conv2D(
        count, height, width, options, activation, useBias, kernelInitializer, biasInitializer);
  }

  /** A kernel that is not square. */
  public Conv2D withKernel(int newHeight, int newWidth) {
    return new Conv2D(
        filters,
        newHeight,
        newWidth,
        options,
        activation,
        useBias,
        kernelInitializer,
        biasInitializer);
  }

  /** Stride, padding and dilation; images keep their channels last. */
  public Conv2D withOptions(ConvOptions newOptions) {
    return new Conv2D(
        filters,
        height,
        width,
        newOptions,
        activation,
        useBias,
        kernelInitializer,
        biasInitializer);
  }

  public Conv2D withStrides(int stride, Padding padding) {
    return withOptions(ConvOptions.of(stride, padding));
  }

  public Conv2D withActivation(Activation newActivation) {
    return new Conv2D(
        filters,
        height,
        width,
        options,
        newActivation,
        useBias,
        kernelInitializer,
        biasInitializer);
  }

  public Conv2D withoutBias() {
    return new Conv2D(
        filters, height, width, options, activation, false, kernelInitializer, biasInitializer);
  }

  public Conv2D withKernelInitializer(Initializer initializer) {
    return new Conv2D(
        filters,
        height,
        width,
        options,
        activation,
        useBias,
        Optional.of(initializer),
        biasInitializer);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Ops tf = scope.tf();
    long channels = Layer.channels("Conv2D", inputs.asOutput());
    VariableSpec kernel =
        VariableSpec.of("kernel", Shape.of(height, width, channels, filters))
            .withType(inputs.asOutput().type());
    Output weights =
        scope.getVariable(kernelInitializer.map(kernel::withInitializer).orElse(kernel)).value();
    Output result = tf.conv2d(inputs, weights, options);
    if (useBias) {
      VariableSpec bias =
          VariableSpec.of("bias", Shape.of(filters))
              .withType(inputs.asOutput().type())
              .withInitializer(biasInitializer);
      result = tf.biasAdd(result, scope.getVariable(bias).value());
    }
    return activation.apply(tf, result);
  }
}
