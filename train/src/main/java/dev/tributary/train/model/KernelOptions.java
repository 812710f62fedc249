package dev.tributary.train.model;

import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.Initializer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.Optional;

/**
 * The settings that all layers with a kernel share. Immutable; each method gives a changed copy.
 *
 * @param activation what the layer does last
 * @param useBias whether a bias is added to each channel of the result
 * @param kernelInitializer the kernel's initial values; the scope's initializer if not given
 */
public record KernelOptions(
    Activation activation,
    boolean useBias,
    Optional<Initializer> kernelInitializer,
    Initializer biasInitializer) {
  /** Linear, with a bias that starts at zero. */
  public static KernelOptions defaults() {
    return new KernelOptions(Activation.LINEAR, true, Optional.empty(), Initializers.zeros());
  }

  public KernelOptions withActivation(Activation newActivation) {
    return new KernelOptions(newActivation, useBias, kernelInitializer, biasInitializer);
  }

  public KernelOptions withoutBias() {
    return new KernelOptions(activation, false, kernelInitializer, biasInitializer);
  }

  public KernelOptions withKernelInitializer(Initializer initializer) {
    return new KernelOptions(activation, useBias, Optional.of(initializer), biasInitializer);
  }

  public KernelOptions withBiasInitializer(Initializer initializer) {
    return new KernelOptions(activation, useBias, kernelInitializer, initializer);
  }

  /** Returns the value of a kernel, which has the element type of the layer's inputs. */
  Output kernel(VariableScope scope, Output inputs, String name, long... sizes) {
    VariableSpec kernel = VariableSpec.of(name, Shape.of(sizes)).withType(inputs.type());
    return scope.getVariable(kernelInitializer.map(kernel::withInitializer).orElse(kernel)).value();
  }

  /** Adds the bias, if there is one, and applies the activation. */
  Output activate(VariableScope scope, Output sums, long channels) {
    Output result = sums;
    if (useBias) {
      VariableSpec bias =
          VariableSpec.of("bias", Shape.of(channels))
              .withType(sums.type())
              .withInitializer(biasInitializer);
      result = scope.tf().biasAdd(sums, scope.getVariable(bias).value());
    }
    return activation.apply(scope.tf(), result);
  }
}
