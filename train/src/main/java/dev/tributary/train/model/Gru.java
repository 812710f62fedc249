package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.List;

/**
 * Gated recurrent units over sequences {@code [n, time, features]}, as those of Keras: the gates
 * are update, reset and candidate, and the reset gate is applied after the recurrent product.
 * Variables: {@code kernel}, {@code bias} of the inputs, {@code recurrent_kernel}, {@code
 * recurrent_bias}.
 *
 * @param returnSequences whether the result has the outputs of all steps, {@code [n, time, units]},
 *     rather than that of the last one, {@code [n, units]}
 */
public record Gru(int units, boolean returnSequences) implements RecurrentLayer {
  /** Returns the output of the last step. */
  public static Gru of(int units) {
    return new Gru(units, false);
  }

  /** Returns the outputs of all steps. */
  public Gru withSequences() {
    return new Gru(units, true);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    LayerInputs.ofSequences("Gru", inputs.asOutput());
    Output projected = Dense.of(3 * units).apply(scope, inputs);
    VariableSpec recurrent =
        VariableSpec.of("recurrent_kernel", Shape.of(units, 3L * units)).withType(projected.type());
    VariableSpec recurrentBias =
        VariableSpec.of("recurrent_bias", Shape.of(3L * units))
            .withType(projected.type())
            .withInitializer(Initializers.zeros());
    Output weights = scope.getVariable(recurrent).value();
    Output bias = scope.getVariable(recurrentBias).value();
    return new Recurrence(scope.tf(), projected, units)
        .run(
            1,
            returnSequences,
            (tf, input, states) -> List.of(next(tf, weights, bias, input, states.get(0))));
  }

  private static Output next(Ops tf, Output weights, Output bias, Output input, Output state) {
    List<Output> ofInput = tf.split(input, 3, 1);
    List<Output> ofState = tf.split(tf.biasAdd(tf.matMul(state, weights), bias), 3, 1);
    Output update = tf.sigmoid(tf.add(ofInput.get(0), ofState.get(0)));
    Output reset = tf.sigmoid(tf.add(ofInput.get(1), ofState.get(1)));
    Output candidate = tf.tanh(tf.add(ofInput.get(2), tf.mul(reset, ofState.get(2))));
    return tf.add(candidate, tf.mul(update, tf.sub(state, candidate)));
  }
}
