package dev.tributary.train.optimizer;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps a moving average of variables, each in a variable beside it, {@code
 * w/ExponentialMovingAverage}. Models often do better with the averages than with the last values.
 *
 * <pre>{@code
 * ExponentialMovingAverage average = new ExponentialMovingAverage(0.99, globalStep.value());
 * Operation train = average.apply(tf.withControlDependencies(step), Variables.trainable(graph));
 * Saver restorer = Saver.of(tf.graph(), average.variablesToRestore(graph)); // where the model is used
 * }</pre>
 *
 * Confined to the thread that builds the graph.
 */
public final class ExponentialMovingAverage {
  private static final String NAME = "ExponentialMovingAverage";

  private final double decay;
  private final Optional<Output> numUpdates;
  private final Map<String, Variable> averages = new LinkedHashMap<>();

  public ExponentialMovingAverage(double decay) {
    this(decay, Optional.empty());
  }

  /**
   * An average that moves faster while the model is young.
   *
   * @param numUpdates the number of updates so far, {@code n}: decay is at most {@code (1 + n) /
   *     (10 + n)}
   */
  public ExponentialMovingAverage(double decay, Operand numUpdates) {
    this(decay, Optional.of(numUpdates.asOutput()));
  }

  private ExponentialMovingAverage(double decay, Optional<Output> numUpdates) {
    this.decay = decay;
    this.numUpdates = numUpdates;
  }

  /**
   * One operation that moves the averages of these variables towards their values after the scope's
   * control dependencies. The averages start at the initial values.
   */
  public Operation apply(Ops tf, List<Variable> variables) {
    Ops inner = tf.withSubScope(NAME);
    List<Operation> moves = new ArrayList<>();
    for (Variable variable : variables) {
      if (!variable.type().isFloating()) {
        throw TributaryException.invalidArgument(
            "%s: the average of a %s variable is not defined: '%s'",
            NAME, variable.type().lowerName(), variable.name());
      }
      Variable average = averages.computeIfAbsent(variable.name(), key -> shadow(variable));
      moves.add(move(inner.colocatedWith(average.handle().operation()), average, variable));
    }
    return inner.withName("update").group(moves);
  }

  /** The average of a variable, if {@link #apply} was called with it. */
  public Optional<Variable> average(Variable variable) {
    return Optional.ofNullable(averages.get(variable.name()));
  }

  /** The name of a variable's average in a checkpoint, whether it is in this graph or not. */
  public String averageName(Variable variable) {
    return average(variable).map(Variable::name).orElse(variable.name() + "/" + NAME);
  }

  /**
   * Returns the variables of a graph by the name in the checkpoint to restore each from: trainable
   * variables from their averages, others from their own values.
   */
  public Map<String, Variable> variablesToRestore(Graph graph) {
    Map<String, Variable> averaged = new LinkedHashMap<>();
    Variables.trainable(graph).forEach(v -> averaged.put(v.name(), v));
    Variables.movingAverage(graph).forEach(v -> averaged.put(v.name(), v));
    Map<String, Variable> all = new LinkedHashMap<>();
    averaged.values().forEach(v -> all.put(averageName(v), v));
    for (Variable variable : Variables.global(graph)) {
      if (!averaged.containsKey(variable.name())) {
        all.putIfAbsent(variable.name(), variable);
      }
    }
    return all;
  }

  private static Variable shadow(Variable variable) {
    variable.handle().graph().addToCollection(GraphKeys.MOVING_AVERAGE_VARIABLES, variable);
    return SlotVariable.create(
        variable, "", NAME, (beside, type, slice) -> variable.initialValue());
  }

  private Operation move(Ops tf, Variable average, Variable variable) {
    Output rate = tf.sub(tf.constant(average.type(), 1), decay(tf, average));
    Output distance = tf.sub(average.in(tf).read(), variable.in(tf).read());
    return average.in(tf).assignSub(tf.mul(distance, rate));
  }

  private Output decay(Ops tf, Variable average) {
    Output most = tf.constant(average.type(), decay);
    if (numUpdates.isEmpty()) {
      return most;
    }
    Output count = Hyperparameter.of(numUpdates.get()).value(tf, average.type());
    Output young = tf.div(tf.math.shift(count, 1), tf.math.shift(count, 10));
    return tf.minimum(most, young);
  }
}
