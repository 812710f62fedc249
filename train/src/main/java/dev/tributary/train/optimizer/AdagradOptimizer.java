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
 * {@code accum += gradient^2; var -= learningRate * gradient / sqrt(accum)}. Slot: {@code
 * accumulator}.
 */
public final class AdagradOptimizer extends SlotOptimizer {
  private static final String SLOT = "accumulator";
  private static final double INITIAL_ACCUMULATOR = 0.1;

  private final Hyperparameter learningRate;
  private final double initialAccumulator;

  public AdagradOptimizer(double learningRate) {
    this(Hyperparameter.of(learningRate), INITIAL_ACCUMULATOR);
  }

  public AdagradOptimizer(Operand learningRate) {
    this(Hyperparameter.of(learningRate), INITIAL_ACCUMULATOR);
  }

  private AdagradOptimizer(Hyperparameter learningRate, double initialAccumulator) {
    super("Adagrad");
    this.learningRate = learningRate;
    this.initialAccumulator = initialAccumulator;
  }

  /** A new optimizer whose accumulators start at this value, 0.1 by default. */
  public AdagradOptimizer withInitialAccumulator(double value) {
    return new AdagradOptimizer(learningRate, value);
  }

  @Override
  UpdateRule prepare(Slots slots, List<Variable> variables) {
    slots.makeAll(variables, SLOT, Initializers.constant(initialAccumulator));
    return new Rule(slots);
  }

  private final class Rule implements UpdateRule {
    private final Slots slots;

    Rule(Slots slots) {
      this.slots = slots;
    }

    @Override
    public Operation dense(Ops tf, Variable variable, Output gradient) {
      return tf.training.applyAdagrad(
          variable.handle(),
          slots.get(variable, SLOT).handle(),
          learningRate.value(tf, variable.type()),
          gradient);
    }

    @Override
    public Operation sparse(Ops tf, Variable variable, IndexedSlices gradient) {
      return tf.training.sparseApplyAdagrad(
          variable.handle(),
          slots.get(variable, SLOT).handle(),
          learningRate.value(tf, variable.type()),
          gradient.values(),
          gradient.indices());
    }
  }
}
