package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How workers come and go in a graph, and how the chief knows of it. Confined to the thread that
 * builds the graph.
 */
interface Membership {
  /** What has a value once the chief has begun. */
  List<Variable> variables();

  /** The chief's, when it begins. */
  Operation chiefInit();

  /** Each worker's, when it begins; the chief's too, after {@link #chiefInit}. */
  List<Operation> join(Ops tf);

  /** A worker brings no more gradients. */
  Operation leave();

  /** A worker has brought its gradients of a step. */
  List<Operation> bring(Ops after, Output localStep);

  /** What a worker runs from time to time. */
  Optional<Beat> beat();

  /** How many tokens a step gives out; may be fed. */
  Output tokens();

  /** Gives out {@link #tokens}. */
  Operation give(Ops tf, TokenQueues queues, Output step);

  /**
   * What the chief looks at.
   *
   * @param counts how many gradients each accumulator has
   * @param stepsSet gradients of steps before the global one are dropped from now on
   */
  RosterOperations roster(
      Variable globalStep,
      List<Output> counts,
      Supplier<List<Operation>> stepsSet,
      TokenQueues queues);
}
