package dev.tributary.internal.plan;

import dev.tributary.graph.Output;

/**
 * The nodes at the ends of a pruned graph, through which fed values come in and fetched ones go
 * out. The {@link Pruner} connects them. Immutable.
 */
public interface Boundary {
  /** Refuses, with INVALID_ARGUMENT, what cannot pass through ends of this kind. */
  void check(StepSignature signature);

  /**
   * A node that gives the value fed for an output in its place.
   *
   * @param index the feed's place in the signature
   */
  StepNode feed(Output output, int index);

  /**
   * A node that takes the value of an output out of the step; the pruner adds its input. Fetches
   * for which the nodes have the same name share one.
   *
   * @param index the fetch's place in the signature
   */
  StepNode fetch(Output output, int index);
}
