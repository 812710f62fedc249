package dev.tributary.train.model;

/** A layer that goes through sequences {@code [n, time, features]} step by step. */
public sealed interface RecurrentLayer extends Layer permits Lstm, Gru {
  /** The size of the result's last dimension. */
  int units();

  /**
   * True if the result has the outputs of all steps, {@code [n, time, units]}, rather than that of
   * the last one, {@code [n, units]}.
   */
  boolean returnSequences();
}
