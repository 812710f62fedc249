package dev.tributary.train.sync;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import java.util.List;

/**
 * What only the chief runs.
 *
 * @param initTokens gives out the tokens that the first step needs
 * @param sync one step of the model: waits for gradients, applies their means, gives out tokens
 * @param required how many gradients {@code sync} waits for; may be fed
 * @param tokens how many tokens {@code sync} gives out; may be fed
 * @param departed how many workers have left
 * @param counts how many gradients each accumulator has
 */
record ChiefOperations(
    Replicas replicas,
    Operation initTokens,
    Operation sync,
    Output required,
    Output tokens,
    Output departed,
    List<Output> counts) {
  ChiefOperations {
    counts = List.copyOf(counts);
  }
}
