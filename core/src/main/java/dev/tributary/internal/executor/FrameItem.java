package dev.tributary.internal.executor;

/**
 * A frame as the graph shows it: the root, or the inside of a while loop. Set up by the compiler,
 * then never changed.
 */
final class FrameItem {
  final String name;
  final FrameItem parent;

  /** Of the {@code frame_name} by which Enter nodes name it; see {@link FrameId}. */
  final long frameNameHash;

  int nodeCount;
  int slotCount;

  /** The number of Enter nodes that lead into the frame. */
  int enterCount;

  int parallelIterations = 1;

  /**
   * The number of inputs that each node of the frame waits for, by its place in it; for a Merge,
   * control inputs only.
   */
  int[] initialPending;

  /** The root. */
  FrameItem() {
    this.name = "";
    this.parent = null;
    this.frameNameHash = 0;
  }

  FrameItem(String frameName, FrameItem parent) {
    this.name = parent.name + "/" + frameName;
    this.parent = parent;
    this.frameNameHash = FrameId.hash(frameName);
  }
}
