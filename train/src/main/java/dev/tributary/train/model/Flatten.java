package dev.tributary.train.model;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.VariableScope;

/** Makes one dimension of all but the first. */
public record Flatten() implements Layer {
  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    Shape shape = inputs.asOutput().shape();
    if (!shape.hasRank() || shape.rank() < 1 || !rest(shape).isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "Flatten: all dimensions of its inputs but the first must be known, got %s", inputs);
    }
    return scope.tf().reshape(inputs, shape.size(0), rest(shape).elementCount());
  }

  private static Shape rest(Shape shape) {
    return shape.slice(1, shape.rank());
  }
}
