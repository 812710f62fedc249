package dev.tributary.internal.collective;

/** A way to compute a collective, the same at all members. Keeps no state of a run in fields. */
@FunctionalInterface
interface CollectiveAlgorithm {
  /**
   * Begins this member's part: sends and receives, of which those that depend on others begin as
   * these arrive. Returns without waiting.
   */
  void start(Exchange exchange);
}
