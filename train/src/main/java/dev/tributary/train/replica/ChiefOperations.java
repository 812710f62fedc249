package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import java.util.List;
import java.util.Optional;

/**
 * Operations that the chief of synchronous training runs. Immutable.
 *
 * @param liveness if empty, dead workers are waited for
 * @param initTokens enqueues the tokens that the first step needs
 * @param sync one step of the model: waits for gradients, applies their means, enqueues tokens
 * @param required the number of gradients that {@code sync} waits for; may be fed
 * @param tokens the tokens that {@code sync} and {@code repeat} enqueue; may be fed
 * @param repeat asks for gradients of the same step again
 * @param end marks the end of training, after which no step of the model is made
 * @param stepAfterClocks the global step, read after the clocks of the membership
 * @param counts the number of gradients in each accumulator
 * @param stepAfterCounts the global step, read after {@code counts}
 */
record ChiefOperations(
    Replicas replicas,
    Optional<Liveness> liveness,
    Membership membership,
    Operation initTokens,
    Operation sync,
    Output required,
    Output tokens,
    Operation repeat,
    Operation end,
    Output stepAfterClocks,
    List<Output> counts,
    Output stepAfterCounts) {
  ChiefOperations {
    counts = List.copyOf(counts);
  }
}
