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
 * Steps in the proportion of earlier steps to earlier gradients. Slots: {@code accum}, {@code
 * accum_update}.
 */
public final class AdadeltaOptimizer extends SlotOptimizer {
  private static final String ACCUM = "accum";
  private static final String ACCUM_UPDATE = "accum_update";

  private final Hyperparameter learningRate;
  private final double rho;
  private final double epsilon;

  /** With TensorFlow's defaults: decay 0.95, epsilon 1e-8. */
  public AdadeltaOptimizer(double learningRate) {
    this(Hyperparameter.of(learningRate), 0.95, 1e-8);
  }

  public AdadeltaOptimizer(double learningRate, double rho, double epsilon) {
    this(Hyperparameter.of(learningRate), rho, epsilon);
  }

  public AdadeltaOptimizer(Operand learningRate, double rho, double epsilon) {
    this(Hyperparameter.of(learningRate), rho, epsilon);
  }

  private AdadeltaOptimizer(Hyperparameter learningRate, double rho, double epsilon) {
    super("Adadelta");
    this.learningRate = learningRate;
    this.rho = rho;
    this.epsilon = epsilon;
  }

  @Override
  UpdateRule prepare(Slots slots, List<Variable> variables) {
    for (Variable variable : variables) {
      slots.make(variable, ACCUM, Initializers.zeros());
      slots.make(variable, ACCUM_UPDATE, Initializers.zeros());
    }
    return new Rule(slots);
  }

  private final class Rule implements UpdateRule {
    private final Slots slots;

    Rule(Slots slots) {
      this.slots = slots;
    }

    @Override
    public Operation dense(Ops tf, Variable variable, Output gradient) {
      return tf.training.applyAdadelta(
          variable.handle(),
          slots.get(variable, ACCUM).handle(),
          slots.get(variable, ACCUM_UPDATE).handle(),
          learningRate.value(tf, variable.type()),
          tf.constant(variable.type(), rho),
          tf.constant(variable.type(), epsilon),
          gradient);
    }

    @Override
    public Operation sparse(Ops tf, Variable variable, IndexedSlices gradient) {
      return tf.training.sparseApplyAdadelta(
          variable.handle(),
          slots.get(variable, ACCUM).handle(),
          slots.get(variable, ACCUM_UPDATE).handle(),
          learningRate.value(tf, variable.type()),
          tf.constant(variable.type(), rho),
          tf.constant(variable.type(), epsilon),
          gradient.values(),
          gradient.indices());
    }
  }
}
