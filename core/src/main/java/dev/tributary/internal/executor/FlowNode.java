package dev.tributary.internal.executor;

import dev.tributary.internal.op.FlowKind;

/** A node of a {@link FixedOrder} of a graph with control flow. */
final class FlowNode extends FixedNode {
  final FlowKind kind;
  final int place;

  /** The places of the nodes whose deadness passes to this one along control edges. */
  final int[] controls;

  /** The innermost loop that the node is in; null outside of loops. */
  final LoopRegion loop;

  /** True if the node is the first one of its loop. */
  final boolean begins;

  /** True if the node is the last one of its loop, and maybe of loops around that. */
  final boolean ends;

  FlowNode(FixedNode node, int place, int[] controls, LoopRegion loop) {
    super(node);
    this.kind = item.flow;
    this.place = place;
    this.controls = controls;
    this.loop = loop;
    this.begins = loop != null && loop.start == place;
    this.ends = loop != null && loop.end == place;
  }
}
