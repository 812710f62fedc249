package dev.tributary.train.variable;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableAggregation;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.ops.VariableSynchronization;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * The variable that counts the training steps of all workers: an int64 scalar called {@code
 * global_step}, which checkpoints and tools look for by that name.
 */
public final class GlobalStep {
  private static final String NAME = "global_step";

  private GlobalStep() {}

  /** The graph's global step, if it has one. */
  public static Optional<Variable> find(Graph graph) {
    return Variable.inCollection(graph, GraphKeys.GLOBAL_STEP).stream().findFirst();
  }

  /** Reads the current value of a global step. */
  public static long read(Session session, Variable globalStep) {
    try (StepResult result = session.runner().fetch(globalStep.value()).run()) {
      return result.get(0).getIndex(0);
    }
  }

  /** A new global step, which the graph must not have yet. */
  public static Variable create(Ops tf) {
    if (find(tf.graph()).isPresent()) {
      throw new TributaryException(
          ErrorCode.ALREADY_EXISTS, "the graph already has a '" + NAME + "'");
    }
    return new Ops(tf.scope().withoutPrefix())
        .state.variable(
            VariableDefinition.of(
                    NAME,
                    DataType.INT64,
                    Shape.scalar(),
                    List.of(GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP))
                .withCopies(VariableSynchronization.AUTO, VariableAggregation.ONLY_FIRST_REPLICA),
            beside -> beside.constant(DataType.INT64, 0));
  }

  /** The graph's global step, made if need be. */
  public static Variable getOrCreate(Ops tf) {
    return find(tf.graph()).orElseGet(() -> create(tf));
  }
}
