package dev.tributary.train.optimizer;

import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.variable.Initializers;
import java.util.Comparator;
import java.util.List;

/**
 * Steps by the mean of gradients over the root of their mean square, both corrected for their start
 * at zero. Slots: {@code m}, {@code v}; and the scalars {@code beta1_power} and {@code beta2_power}
 * beside the variable whose name comes first.
 */
public final class AdamOptimizer extends SlotOptimizer {
  private static final String M = "m";
  private static final String V = "v";

  private final Hyperparameter learningRate;
  private final double beta1;
  private final double beta2;
  private final double epsilon;

  /** With TensorFlow's defaults: beta1 0.9, beta2 0.999, epsilon 1e-8. */
  public AdamOptimizer(double learningRate) {
    this(Hyperparameter.of(learningRate), 0.9, 0.999, 1e-8);
  }

  public AdamOptimizer(double learningRate, double beta1, double beta2, double epsilon) {
    this(Hyperparameter.of(learningRate), beta1, beta2, epsilon);
  }

  public AdamOptimizer(Operand learningRate) {
    this(Hyperparameter.of(learningRate), 0.9, 0.999, 1e-8);
  }

  public AdamOptimizer(Operand learningRate, double beta1, double beta2, double epsilon) {
    this(Hyperparameter.of(learningRate), beta1, beta2, epsilon);
  }

  private AdamOptimizer(Hyperparameter learningRate, double beta1, double beta2, double epsilon) {
    super("Adam");
    this.learningRate = learningRate;
    this.beta1 = beta1;
    this.beta2 = beta2;
    this.epsilon = epsilon;
  }

  @Override
  UpdateRule prepare(Slots slots, List<Variable> variables) {
    Variable first = variables.stream().min(Comparator.comparing(Variable::name)).orElseThrow();
    Variable beta1Power = slots.scalar("beta1_power", beta1, first);
    Variable beta2Power = slots.scalar("beta2_power", beta2, first);
    for (Variable variable : variables) {
      slots.make(variable, M, Initializers.zeros());
      slots.make(variable, V, Initializers.zeros());
    }
    return new Rule(slots, beta1Power, beta2Power);
  }

  private final class Rule implements UpdateRule {
    private final Slots slots;
    private final Variable beta1Power;
    private final Variable beta2Power;

    Rule(Slots slots, Variable beta1Power, Variable beta2Power) {
      this.slots = slots;
      this.beta1Power = beta1Power;
      this.beta2Power = beta2Power;
    }

    @Override
    public Operation dense(Ops tf, Variable variable, Output gradient) {
      return tf.training.applyAdam(
          variable.handle(),
          slots.get(variable, M).handle(),
          slots.get(variable, V).handle(),
          Hyperparameter.of(beta1Power.value()).value(tf, variable.type()),
          Hyperparameter.of(beta2Power.value()).value(tf, variable.type()),
          learningRate.value(tf, variable.type()),
          tf.constant(variable.type(), beta1),
          tf.constant(variable.type(), beta2),
          tf.constant(variable.type(), epsilon),
          gradient,
          false);
    }

    /**
     * As TensorFlow does it: the means of all rows decay and all rows move, and only the new
     * gradients are sparse.
     */
    @Override
    public Operation sparse(Ops tf, Variable variable, IndexedSlices gradient) {
      Output m = moved(tf, slots.get(variable, M), beta1, gradient, gradient.values());
      Output v = moved(tf, slots.get(variable, V), beta2, gradient, tf.square(gradient.values()));
      Output root = tf.math.shift(tf.sqrt(v), epsilon);
      Output change = tf.div(tf.mul(rate(tf, variable), m), root);
      return variable.in(tf).assignSub(change);
    }

    /** The slot after {@code slot = beta * slot} and, in some rows, {@code + (1 - beta) * by}. */
    private Output moved(Ops tf, Variable slot, double beta, IndexedSlices rows, Output by) {
      Operation decayed = slot.in(tf).assign(tf.math.scale(slot.in(tf).read(), beta));
      Operation added =
          tf.withControlDependencies(decayed)
              .state
              .resourceScatterAdd(slot.handle(), rows.indices(), tf.math.scale(by, 1 - beta));
      return slot.in(tf.withControlDependencies(added)).read();
    }

    private Output rate(Ops tf, Variable variable) {
      Output power1 = Hyperparameter.of(beta1Power.value()).value(tf, variable.type());
      Output power2 = Hyperparameter.of(beta2Power.value()).value(tf, variable.type());
      Output one = tf.constant(variable.type(), 1);
      return tf.div(
          tf.mul(learningRate.value(tf, variable.type()), tf.sqrt(tf.sub(one, power2))),
          tf.sub(one, power1));
    }

    @Override
    public List<Operation> finish(Ops tf, List<Operation> updates) {
      Ops after = tf.withControlDependencies(updates.toArray(new Operation[0]));
      return List.of(raised(after, beta1Power, beta1), raised(after, beta2Power, beta2));
    }

    private Operation raised(Ops tf, Variable power, double beta) {
      Ops beside = tf.colocatedWith(power.handle().operation());
      return power.in(beside).assign(beside.math.scale(power.value(), beta));
    }
  }
}
