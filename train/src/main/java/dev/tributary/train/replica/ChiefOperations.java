package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;

/**
 * What only the chief runs.
 *
 * @param initTokens gives out the tokens that the first step needs
 * @param sync one step of the model: waits for gradients, applies their means, gives out tokens
 * @param required how many gradients {@code sync} waits for; may be fed
 * @param tokens how many tokens {@code sync} gives out; may be fed
 * @param roster tells who takes part
 */
record ChiefOperations(
    Operation initTokens,
    Operation sync,
    Output required,
    Output tokens,
    RosterOperations roster) {}
