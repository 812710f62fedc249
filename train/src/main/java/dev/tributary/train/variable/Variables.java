package dev.tributary.train.variable;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import java.util.ArrayList;
import java.util.List;

/** The variables of a graph, by collection, and operations on all of them. */
public final class Variables {
  private Variables() {}

  /** Those that all workers share. */
  public static List<Variable> global(Graph graph) {
    return Variable.inCollection(graph, GraphKeys.GLOBAL_VARIABLES);
  }

  public static List<Variable> trainable(Graph graph) {
    return Variable.inCollection(graph, GraphKeys.TRAINABLE_VARIABLES);
  }

  /** Those of one process. */
  public static List<Variable> local(Graph graph) {
    return Variable.inCollection(graph, GraphKeys.LOCAL_VARIABLES);
  }

  /** Those that have a moving average. */
  public static List<Variable> movingAverage(Graph graph) {
    return Variable.inCollection(graph, GraphKeys.MOVING_AVERAGE_VARIABLES);
  }

  /** Initializes all global variables made so far. */
  public static Operation globalInitializer(Ops tf) {
    return initializer(tf.withName("init"), global(tf.graph()));
  }

  /** Initializes all local variables made so far. */
  public static Operation localInitializer(Ops tf) {
    return initializer(tf.withName("init_local"), local(tf.graph()));
  }

  public static Operation initializer(Ops tf, List<Variable> variables) {
    return tf.group(variables.stream().map(Variable::initializer).toList());
  }

  /** The names of those variables that have no value yet; empty when a model is ready. */
  public static Output reportUninitialized(Ops tf, List<Variable> variables) {
    Ops inner = tf.withSubScope("report_uninitialized_variables");
    if (variables.isEmpty()) {
      return inner.constant(new String[0]);
    }
    List<Output> missing = new ArrayList<>();
    for (Variable variable : variables) {
      Ops beside = inner.colocatedWith(variable.handle().operation());
      missing.add(beside.logicalNot(beside.state.varIsInitializedOp(variable.handle())));
    }
    Output names = inner.constant(variables.stream().map(Variable::name).toArray(String[]::new));
    Output places = inner.reshape(inner.where(inner.array.pack(missing, 0)), -1);
    return inner.gather(names, places);
  }

  /** The names of all variables, global and local, that have no value yet. */
  public static Output reportUninitialized(Ops tf) {
    List<Variable> all = new ArrayList<>(global(tf.graph()));
    all.addAll(local(tf.graph()));
    return reportUninitialized(tf, all);
  }
}
