package dev.tributary.train.data;

import dev.tributary.ops.Ops;

/**
 * A graph function of two values, such as a state and an element; called once to build its body.
 *
 * @param <A> what the first value is in a graph
 * @param <B> what the second one is
 * @param <R> what the function returns
 */
@FunctionalInterface
public interface BinaryGraphFunction<A, B, R> {
  R apply(Ops tf, A first, B second);
}
