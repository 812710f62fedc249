package dev.tributary.internal.executor;

/**
 * A node that has all it waits for, in one iteration; dead if it only passes on that it will not
 * run.
 */
final class ReadyNode {
  final NodeItem node;
  final Iteration iteration;
  final boolean isDead;

  /** The time when it became ready; set only in a step that is traced. */
  long readyNanos;

  ReadyNode(NodeItem node, Iteration iteration, boolean isDead) {
    this.node = node;
    this.iteration = iteration;
    this.isDead = isDead;
  }
}
