package dev.tributary.internal.executor;

import dev.tributary.internal.kernel.Device;
import java.util.Optional;

/**
 * A step graph in the form that runs: one {@link NodeItem} a node, one {@link FrameItem} a
 * control-flow frame. Immutable.
 */
public final class ExecutableGraph {
  final Device device;
  final NodeItem[] nodes;
  final FrameItem[] frames;
  final NodeItem[] sources;

  /** The order in which the graph can run without counters, if it has one. */
  final Optional<FixedOrder> fixedOrder;

  ExecutableGraph(
      Device device,
      NodeItem[] nodes,
      FrameItem[] frames,
      NodeItem[] sources,
      Optional<FixedOrder> fixedOrder) {
    this.device = device;
    this.nodes = nodes;
    this.frames = frames;
    this.sources = sources;
    this.fixedOrder = fixedOrder;
  }

  /** Returns how many nodes a step without control flow runs. */
  public int size() {
    return nodes.length;
  }
}
