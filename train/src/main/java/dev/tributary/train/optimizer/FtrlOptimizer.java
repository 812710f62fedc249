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
 * Follow the regularised leader, which keeps weights at zero until the data insist. Slots: {@code
 * accum}, {@code linear}.
 */
public final class FtrlOptimizer extends SlotOptimizer {
  private static final String ACCUM = "accum";
  private static final String LINEAR = "linear";
  private static final double INITIAL_ACCUMULATOR = 0.1;

  private final Hyperparameter learningRate;
  private final double learningRatePower;
  private final double l1;
  private final double l2;

  /** With TensorFlow's defaults: power -0.5, no regularisation. */
  public FtrlOptimizer(double learningRate) {
    this(Hyperparameter.of(learningRate), -0.5, 0, 0);
  }

  public FtrlOptimizer(double learningRate, double learningRatePower, double l1, double l2) {
    this(Hyperparameter.of(learningRate), learningRatePower, l1, l2);
  }

  public FtrlOptimizer(Operand learningRate, double learningRatePower, double l1, double l2) {
    this(Hyperparameter.of(learningRate), learningRatePower, l1, l2);
  }

  private FtrlOptimizer(
      Hyperparameter learningRate, double learningRatePower, double l1, double l2) {
    super("Ftrl");
    this.learningRate = learningRate;
    this.learningRatePower = learningRatePower;
    this.l1 = l1;
    this.l2 = l2;
  }

  @Override
  UpdateRule prepare(Slots slots, List<Variable> variables) {
    for (Variable variable : variables) {
      slots.make(variable, ACCUM, Initializers.constant(INITIAL_ACCUMULATOR));
      slots.make(variable, LINEAR, Initializers.zeros());
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
      return tf.training.applyFtrl(
          variable.handle(),
          slots.get(variable, ACCUM).handle(),
          slots.get(variable, LINEAR).handle(),
          gradient,
          learningRate.value(tf, variable.type()),
          tf.constant(variable.type(), l1),
          tf.constant(variable.type(), l2),
          tf.constant(variable.type(), learningRatePower));
    }

    @Override
    public Operation sparse(Ops tf, Variable variable, IndexedSlices gradient) {
      return tf.training.sparseApplyFtrl(
          variable.handle(),
          slots.get(variable, ACCUM).handle(),
          slots.get(variable, LINEAR).handle(),
          gradient.values(),
          gradient.indices(),
          learningRate.value(tf, variable.type()),
          tf.constant(variable.type(), l1),
          tf.constant(variable.type(), l2),
          tf.constant(variable.type(), learningRatePower));
    }
  }
}
