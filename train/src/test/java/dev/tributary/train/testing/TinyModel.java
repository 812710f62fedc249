package dev.tributary.train.testing;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;

/**
 * One weight that begins at 1 and goes down by 0.125 in each step, so that its value tells exactly
 * how many steps it has seen.
 */
public record TinyModel(Ops tf, Variable w, Variable globalStep, Output loss, Operation train) {
  public static TinyModel build(Ops tf) {
    Variable w = VariableScope.of(tf).getVariable("w", Shape.of(1), Initializers.constant(1));
    Variable globalStep = GlobalStep.create(tf);
    Output loss = tf.sum(w.value(), 0);
    Operation train = new GradientDescentOptimizer(0.125).minimize(tf, loss, globalStep);
    return new TinyModel(tf, w, globalStep, loss, train);
  }

  public long step(Session session) {
    try (StepResult result = session.runner().fetch(globalStep.value()).run()) {
      return result.get(0).longValue();
    }
  }

  /** How many steps the weight has seen. */
  public double stepsOfWeight(Session session) {
    try (StepResult result = session.runner().fetch(w.value()).run()) {
      return (1 - result.get(0).getFloat(0)) / 0.125;
    }
  }
}
