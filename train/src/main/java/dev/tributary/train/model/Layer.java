package dev.tributary.train.model;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.VariableScope;

/**
 * A description of a layer. Immutable: applied twice, it makes two layers, unless the scope reuses
 * variables.
 */
@FunctionalInterface
public interface Layer {
  /** The layer's result; its variables and operations go into the scope. */
  Output apply(VariableScope scope, Operand inputs);

  /** The size of the inputs' last dimension, which the shape of a layer's variables follows. */
  static long channels(String layer, Output inputs) {
    Shape shape = inputs.shape();
    if (!shape.hasRank() || shape.rank() < 2 || shape.size(shape.rank() - 1) < 0) {
      throw TributaryException.invalidArgument(
          "%s: the last of its inputs' two or more dimensions must be known, got %s",
          layer, inputs);
    }
    return shape.size(shape.rank() - 1);
  }
}
