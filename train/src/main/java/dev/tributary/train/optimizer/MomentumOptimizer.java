package dev.tributary.train.optimizer;

import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.variable.Initializers;
import java.util.List;

/**
 * {@code accum = momentum * accum + gradient; var -= learningRate * accum}, or Nesterov's form of
 * it. Slot: {@code momentum}.
 */
public final class MomentumOptimizer extends SlotOptimizer {
  private static final String SLOT = "momentum";

  private final Hyperparameter learningRate;
  private final double momentum;
  private final boolean useNesterov;

  public MomentumOptimizer(double learningRate, double momentum) {
    this(Hyperparameter.of(learningRate), momentum, false);
  }

  public MomentumOptimizer(Operand learningRate, double momentum) {
    this(Hyperparameter.of(learningRate), momentum, false);
  }

  private MomentumOptimizer(Hyperparameter learningRate, double momentum, boolean useNesterov) {
    super("Momentum");
    this.learningRate = learningRate;
    this.momentum = momentum;
    this.useNesterov = useNesterov;
  }

  /** A new optimizer that looks ahead along its momentum. */
  public MomentumOptimizer withNesterov() {
    return new MomentumOptimizer(learningRate, momentum, true);
  }

  @Override
  UpdateRule prepare(Slots slots, List<Variable> variables) {
    slots.makeAll(variables, SLOT, Initializers.zeros());
    return new Rule(slots);
  }

  private final class Rule implements UpdateRule {
    private final Slots slots;

    Rule(Slots slots) {
      this.slots = slots;
    }

    @Override
    public Operation dense(Ops tf, Variable variable, Output gradient) {
      return tf.training.applyMomentum(
          variable.handle(),
          slots.get(variable, SLOT).handle(),
          learningRate.value(tf, variable.type()),
          gradient,
          tf.constant(variable.type(), momentum),
          useNesterov);
    }

    @Override
    public Operation sparse(Ops tf, Variable variable, IndexedSlices gradient) {
      return tf.training.sparseApplyMomentum(
          variable.handle(),
          slots.get(variable, SLOT).handle(),
          learningRate.value(tf, variable.type()),
          gradient.values(),
          gradient.indices(),
          tf.constant(variable.type(), momentum),
          useNesterov);
    }
  }
}
