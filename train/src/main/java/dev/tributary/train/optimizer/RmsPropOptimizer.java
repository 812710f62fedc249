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
 * Steps by the gradient over the root of its mean square or, centered, of its variance. Slots:
 * {@code rms}, {@code mg} if centered, {@code momentum}.
 */
public final class RmsPropOptimizer extends SlotOptimizer {
  private static final String RMS = "rms";
  private static final String MG = "mg";
  private static final String MOMENTUM = "momentum";

  private final Hyperparameter learningRate;
  private final double decay;
  private final double momentum;
  private final double epsilon;
  private final boolean centered;

  /** With TensorFlow's defaults: decay 0.9, no momentum, epsilon 1e-10, not centered. */
  public RmsPropOptimizer(double learningRate) {
    this(Hyperparameter.of(learningRate), 0.9, 0, 1e-10, false);
  }

  public RmsPropOptimizer(double learningRate, double decay, double momentum, double epsilon) {
    this(Hyperparameter.of(learningRate), decay, momentum, epsilon, false);
  }

  public RmsPropOptimizer(Operand learningRate, double decay, double momentum, double epsilon) {
    this(Hyperparameter.of(learningRate), decay, momentum, epsilon, false);
  }

  private RmsPropOptimizer(
      Hyperparameter learningRate,
      double decay,
      double momentum,
      double epsilon,
      boolean centered) {
    super("RMSProp");
    this.learningRate = learningRate;
    this.decay = decay;
    this.momentum = momentum;
    this.epsilon = epsilon;
    this.centered = centered;
  }

  /** A new optimizer that divides by the root of the variance. */
  public RmsPropOptimizer withCentering() {
    return new RmsPropOptimizer(learningRate, decay, momentum, epsilon, true);
  }

  @Override
  UpdateRule prepare(Slots slots, List<Variable> variables) {
    for (Variable variable : variables) {
      slots.make(variable, RMS, Initializers.ones());
      if (centered) {
        slots.make(variable, MG, Initializers.zeros());
      }
      slots.make(variable, MOMENTUM, Initializers.zeros());
    }
    return centered ? new CenteredRule(slots) : new Rule(slots);
  }

  private Output scalar(Ops tf, Variable variable, double value) {
    return tf.constant(variable.type(), value);
  }

  private final class Rule implements UpdateRule {
    private final Slots slots;

    Rule(Slots slots) {
      this.slots = slots;
    }

    @Override
    public Operation dense(Ops tf, Variable variable, Output gradient) {
      return tf.training.applyRmsProp(
          variable.handle(),
          slots.get(variable, RMS).handle(),
          slots.get(variable, MOMENTUM).handle(),
          learningRate.value(tf, variable.type()),
          scalar(tf, variable, decay),
          scalar(tf, variable, momentum),
          scalar(tf, variable, epsilon),
          gradient);
    }

    @Override
    public Operation sparse(Ops tf, Variable variable, IndexedSlices gradient) {
      return tf.training.sparseApplyRmsProp(
          variable.handle(),
          slots.get(variable, RMS).handle(),
          slots.get(variable, MOMENTUM).handle(),
          learningRate.value(tf, variable.type()),
          scalar(tf, variable, decay),
          scalar(tf, variable, momentum),
          scalar(tf, variable, epsilon),
          gradient.values(),
          gradient.indices());
    }
  }

  private final class CenteredRule implements UpdateRule {
    private final Slots slots;

    CenteredRule(Slots slots) {
      this.slots = slots;
    }

    @Override
    public Operation dense(Ops tf, Variable variable, Output gradient) {
      return tf.training.applyCenteredRmsProp(
          variable.handle(),
          slots.get(variable, MG).handle(),
          slots.get(variable, RMS).handle(),
          slots.get(variable, MOMENTUM).handle(),
          learningRate.value(tf, variable.type()),
          scalar(tf, variable, decay),
          scalar(tf, variable, momentum),
          scalar(tf, variable, epsilon),
          gradient);
    }

    @Override
    public Operation sparse(Ops tf, Variable variable, IndexedSlices gradient) {
      return tf.training.sparseApplyCenteredRmsProp(
          variable.handle(),
          slots.get(variable, MG).handle(),
          slots.get(variable, RMS).handle(),
          slots.get(variable, MOMENTUM).handle(),
          learningRate.value(tf, variable.type()),
          scalar(tf, variable, decay),
          scalar(tf, variable, momentum),
          scalar(tf, variable, epsilon),
          gradient.values(),
          gradient.indices());
    }
  }
}
