package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.variable.VariableScope;
import java.util.Locale;

/**
 * A recurrent layer that goes through sequences {@code [n, time, features]} in both directions,
 * with variables of its own for each: those in the scopes {@code forward_lstm} and {@code
 * backward_lstm}, or {@code forward_gru} and {@code backward_gru}.
 *
 * <pre>{@code
 * Output context = Bidirectional.of(Lstm.of(64).withSequences()).apply(scope.open("context"), words);
 * }</pre>
 */
public record Bidirectional(RecurrentLayer layer, Merge merge) implements Layer {
  /** The ways to join the results of the two directions. */
  public enum Merge {
    /** One beside the other, which doubles the last dimension. */
    CONCAT,
    SUM,
    AVERAGE,
    MULTIPLY
  }

  /** The results of the two directions, where both belong to the same step of the inputs. */
  public record Directions(Output forward, Output backward) {}

  /** Puts the results of both directions beside each other. */
  public static Bidirectional of(RecurrentLayer layer) {
    return new Bidirectional(layer, Merge.CONCAT);
  }

  public Bidirectional withMerge(Merge newMerge) {
    return new Bidirectional(layer, newMerge);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Directions both = directions(scope, inputs);
    Ops tf = scope.tf();
    return switch (merge) {
      case CONCAT -> tf.concat(-1, both.forward(), both.backward());
      case SUM -> tf.add(both.forward(), both.backward());
      case AVERAGE -> tf.math.scale(tf.add(both.forward(), both.backward()), 0.5);
      case MULTIPLY -> tf.mul(both.forward(), both.backward());
    };
  }

  /** Applies the layer and leaves the results of the two directions as they are. */
  public Directions directions(VariableScope scope, Operand inputs) {
    LayerInputs.ofSequences("Bidirectional", inputs.asOutput());
    String name = layer.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    Ops tf = scope.tf();
    Output forward = layer.apply(scope.open("forward_" + name), inputs);
    Output backward =
        layer.apply(scope.open("backward_" + name), tf.array.reverse(inputs, new int[] {1}));
    return new Directions(
        forward, layer.returnSequences() ? tf.array.reverse(backward, new int[] {1}) : backward);
  }
}
