package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.Initializer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.Optional;

/**
 * {@code activation(inputs x kernel + bias)} over the last dimension. Variables: {@code kernel},
 * {@code bias}.
 *
 * <pre>{@code
 * Output hidden = Dense.of(128).withActivation(Activation.RELU).apply(scope.open("hidden"), images);
 * }</pre>
 */
public record Dense(
    int units,
    Activation activation,
    boolean useBias,
    Optional<Initializer> kernelInitializer,
    Initializer biasInitializer)
    implements Layer {
  /** Linear, with a bias that starts at zero. */
  public static Dense of(int units) {
    return new Dense(units, Activation.LINEAR, true, Optional.empty(), Initializers.zeros());
  }

  public Dense withActivation(Activation newActivation) {
    return new Dense(units, newActivation, useBias, kernelInitializer, biasInitializer);
  }

  public Dense withoutBias() {
    return new Dense(units, activation, false, kernelInitializer, biasInitializer);
  }

  public Dense withKernelInitializer(Initializer initializer) {
    return new Dense(units, activation, useBias, Optional.of(initializer), biasInitializer);
  }

  public Dense withBiasInitializer(Initializer initializer) {
    return new Dense(units, activation, useBias, kernelInitializer, initializer);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Ops tf = scope.tf();
    long channels = Layer.channels("Dense", inputs.asOutput());
    VariableSpec kernel =
        VariableSpec.of("kernel", Shape.of(channels, units)).withType(inputs.asOutput().type());
    Output weights =
        scope.getVariable(kernelInitializer.map(kernel::withInitializer).orElse(kernel)).value();
    boolean isMatrix = inputs.asOutput().shape().rank() == 2;
    Output rows = isMatrix ? inputs.asOutput() : tf.reshape(inputs, -1, channels);
    Output result = tf.matMul(rows, weights);
    if (useBias) {
      VariableSpec bias =
          VariableSpec.of("bias", Shape.of(units))
              .withType(inputs.asOutput().type())
              .withInitializer(biasInitializer);
      result = tf.biasAdd(result, scope.getVariable(bias).value());
    }
    result = activation.apply(tf, result);
    return isMatrix ? result : tf.reshape(result, resultShape(tf, inputs));
  }

  private Output resultShape(Ops tf, Operand inputs) {
    int last = inputs.asOutput().shape().rank() - 1;
    Output leading = tf.slice(tf.shape(inputs), new int[] {0}, new int[] {last});
    return tf.concat(0, leading, tf.constant(new int[] {units}));
  }
}
