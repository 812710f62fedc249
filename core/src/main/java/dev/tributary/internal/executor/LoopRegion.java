package dev.tributary.internal.executor;

/**
 * The nodes of a while loop in a {@link FixedOrder}: places from {@code start} to {@code end}, with
 * those of the loops inside. An iteration runs them once, in order. Set up with the order, then
 * never changed.
 */
final class LoopRegion {
  /** The number of the loop among those of the graph. */
  final int index;

  /** The loop around it; null outside of loops. */
  final LoopRegion parent;

  /** See {@link FrameId}. */
  final long frameNameHash;

  final int start;
  final int end;

  /** The numbers of the values of NextIteration nodes: another iteration follows if one is live. */
  int[] nextIterations;

  /** The numbers of the values that enter every iteration, given back when the loop ends. */
  int[] invariants;

  /** The places of the Exit nodes: each is dead unless it is live in some iteration. */
  int[] exits;

  LoopRegion(int index, LoopRegion parent, long frameNameHash, int start, int end) {
    this.index = index;
    this.parent = parent;
    this.frameNameHash = frameNameHash;
    this.start = start;
    this.end = end;
  }
}
