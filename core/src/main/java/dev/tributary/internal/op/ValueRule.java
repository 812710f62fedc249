package dev.tributary.internal.op;

import java.util.Optional;

/**
 * Works out the value of an operation's first output while the graph is built, where it is a small
 * integer vector.
 */
@FunctionalInterface
public interface ValueRule {
  Optional<KnownValue> valueOf(InferenceContext context);
}
