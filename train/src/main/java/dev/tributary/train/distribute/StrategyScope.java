package dev.tributary.train.distribute;

import dev.tributary.ops.Ops;

/**
 * A part of a program in which variables are those of a strategy, until it is closed. Confined to
 * the thread that builds the graph.
 */
public final class StrategyScope implements AutoCloseable {
  private final Distribution distribution;
  private final Ops tf;
  private boolean closed;

  StrategyScope(Strategy strategy, Ops tf) {
    this.distribution = Distribution.of(tf.graph());
    this.distribution.enter(strategy);
    this.tf = strategy.defaultScope(tf);
  }

  /** Adds operations on the strategy's default device. */
  public Ops tf() {
    return tf;
  }

  /** Ends the part of the program; closing again does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      distribution.leave();
    }
  }
}
