package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.Arrays;
import java.util.List;

/**
 * A long short-term memory over sequences {@code [n, time, features]}, with the gates of Keras in
 * Keras' order: input, forget, cell, output. Variables: {@code kernel}, {@code recurrent_kernel},
 * {@code bias}; the bias of the forget gate starts at one.
 *
 * @param returnSequences whether the result has the outputs of all steps, {@code [n, time, units]},
 *     rather than that of the last one, {@code [n, units]}
 */
public record Lstm(int units, boolean returnSequences) implements RecurrentLayer {
  /** Returns the output of the last step. */
  public static Lstm of(int units) {
    return new Lstm(units, false);
  }

  /** Returns the outputs of all steps. */
  public Lstm withSequences() {
    return new Lstm(units, true);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    LayerInputs.ofSequences("Lstm", inputs.asOutput());
    Output projected =
        Dense.of(4 * units).withBiasInitializer(this::initialBias).apply(scope, inputs);
    VariableSpec recurrent =
        VariableSpec.of("recurrent_kernel", Shape.of(units, 4L * units)).withType(projected.type());
    Output weights = scope.getVariable(recurrent).value();
    return new Recurrence(scope.tf(), projected, units)
        .run(2, returnSequences, (tf, input, states) -> next(tf, weights, input, states));
  }

  private static List<Output> next(Ops tf, Output weights, Output input, List<Output> states) {
    Output sums = tf.add(input, tf.matMul(states.get(0), weights));
    List<Output> gates = tf.split(sums, 4, 1);
    Output kept = tf.mul(tf.sigmoid(gates.get(1)), states.get(1));
    Output added = tf.mul(tf.sigmoid(gates.get(0)), tf.tanh(gates.get(2)));
    Output cell = tf.add(kept, added);
    return List.of(tf.mul(tf.sigmoid(gates.get(3)), tf.tanh(cell)), cell);
  }

  private Output initialBias(Ops tf, DataType type, VariableSlice slice) {
    float[] bias = new float[4 * units];
    Arrays.fill(bias, units, 2 * units, 1f);
    return tf.cast(tf.constant(bias), type);
  }
}
