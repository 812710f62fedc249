package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.variable.VariableScope;

/**
 * {@code activation(inputs x kernel + bias)} over the last dimension. Variables: {@code kernel},
 * {@code bias}.
 *
 * <pre>{@code
 * Output hidden = Dense.of(128).withActivation(Activation.RELU).apply(scope.open("hidden"), images);
 * }</pre>
 */
public record Dense(int units, KernelOptions kernelOptions) implements KernelLayer<Dense> {
  /** Linear, with a bias that starts at zero. */
  public static Dense of(int units) {
    return new Dense(units, KernelOptions.defaults());
  }

  @Override
  public Dense withKernelOptions(KernelOptions newOptions) {
    return new Dense(units, newOptions);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Ops tf = scope.tf();
    long channels = Layer.channels("Dense", inputs.asOutput());
    Output kernel = kernelOptions.kernel(scope, inputs.asOutput(), "kernel", channels, units);
    boolean isMatrix = inputs.asOutput().shape().rank() == 2;
    Output rows = isMatrix ? inputs.asOutput() : tf.reshape(inputs, -1, channels);
    Output result = kernelOptions.activate(scope, tf.matMul(rows, kernel), units);
    return isMatrix ? result : tf.reshape(result, resultShape(tf, inputs));
  }

  private Output resultShape(Ops tf, Operand inputs) {
    int last = inputs.asOutput().shape().rank() - 1;
    Output leading = tf.slice(tf.shape(inputs), new int[] {0}, new int[] {last});
    return tf.concat(0, leading, tf.constant(new int[] {units}));
  }
}
