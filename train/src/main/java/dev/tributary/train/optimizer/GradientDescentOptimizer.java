package dev.tributary.train.optimizer;

import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import java.util.List;

/** {@code var -= learningRate * gradient}. */
public final class GradientDescentOptimizer extends SlotOptimizer {
  private final Hyperparameter learningRate;

  public GradientDescentOptimizer(double learningRate) {
    this(Hyperparameter.of(learningRate));
  }

  public GradientDescentOptimizer(Operand learningRate) {
    this(Hyperparameter.of(learningRate));
  }

  private GradientDescentOptimizer(Hyperparameter learningRate) {
    super("GradientDescent");
    this.learningRate = learningRate;
  }

  @Override
  UpdateRule prepare(Slots slots, List<Variable> variables) {
    return new Rule(learningRate);
  }

  private record Rule(Hyperparameter learningRate) implements UpdateRule {
    @Override
    public Operation dense(Ops tf, Variable variable, Output gradient) {
      return tf.training.applyGradientDescent(
          variable.handle(), learningRate.value(tf, variable.type()), gradient);
    }

    @Override
    public Operation sparse(Ops tf, Variable variable, IndexedSlices gradient) {
      Output change = tf.mul(gradient.values(), learningRate.value(tf, variable.type()));
      return tf.state.resourceScatterSub(variable.handle(), gradient.indices(), change);
    }
  }
}
