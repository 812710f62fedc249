package dev.tributary.executor;

/**
 * A frame as the graph shows it: the root, or the inside of a while loop. Set up by the compiler,
 * then never changed.
 */
final class FrameItem {
  final String name;
  final FrameItem parent;
  int nodeCount;
  int slotCount;

  /** How many Enter nodes lead into the frame. */
  int enterCount;

  int parallelIterations = 1;

  /**
   * How many inputs each node of the frame waits for, by its place in it; for a Merge, control
   * inputs only.
   */
  int[] initialPending;

  FrameItem(String name, FrameItem parent) {
    this.name = name;
    this.parent = parent;
  }
}
