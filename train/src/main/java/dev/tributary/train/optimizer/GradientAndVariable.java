package dev.tributary.train.optimizer;

import dev.tributary.graph.GradientValue;
import dev.tributary.ops.Variable;

/** A variable, and the gradient of the loss by it, which may be none. */
public record GradientAndVariable(GradientValue gradient, Variable variable) {
  public boolean hasGradient() {
    return !(gradient instanceof GradientValue.None);
  }

  public GradientAndVariable withGradient(GradientValue newGradient) {
    return new GradientAndVariable(newGradient, variable);
  }
}
