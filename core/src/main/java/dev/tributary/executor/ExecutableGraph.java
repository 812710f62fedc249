package dev.tributary.executor;

import dev.tributary.kernel.Device;

/**
 * A step graph in the form that runs: one {@link NodeItem} a node, one {@link FrameItem} a
 * control-flow frame. Immutable.
 */
public final class ExecutableGraph {
  final Device device;
  final NodeItem[] nodes;
  final FrameItem[] frames;
  final NodeItem[] sources;

  ExecutableGraph(Device device, NodeItem[] nodes, FrameItem[] frames, NodeItem[] sources) {
    this.device = device;
    this.nodes = nodes;
    this.frames = frames;
    this.sources = sources;
  }

  /** How many nodes a step without control flow runs. */
  public int size() {
    return nodes.length;
  }
}
