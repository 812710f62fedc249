package dev.tributary.executor;

import dev.tributary.graph.FlowKind;
import dev.tributary.kernel.AsyncKernel;
import dev.tributary.kernel.Kernel;
import dev.tributary.tensor.DataType;

/** What the executor knows of a node. Edges are set by the compiler before the graph is published, and then never change. */
final class NodeItem {
  /** Where an output goes: to an input slot of a node, in the frame that holds the node. */
  record Edge(NodeItem target, int slot) {}

  final int id;
  final String name;
  final String op;
  final Kernel kernel;
  final AsyncKernel asyncKernel;
  final FlowKind flow;
  final boolean expensive;
  final DataType[] outputTypes;
  final boolean[] refInputs;
  final boolean allowsUninitialized;
  final int controlInputCount;

  /** For each output, its consumers. */
  Edge[][] outputs;

  NodeItem[] controlOutputs;

  /** The frame the node runs in, its place there, and the place of its first input among the frame's slots. */
  FrameItem frame;

  int placeInFrame;
  int firstSlot;

  /** For an Enter: the frame it enters. */
  FrameItem enters;

  boolean isLoopInvariant;

  NodeItem(
      int id,
      String name,
      String op,
      Kernel kernel,
      FlowKind flow,
      boolean expensive,
      DataType[] outputTypes,
      boolean[] refInputs,
      boolean allowsUninitialized,
      int controlInputCount) {
    this.id = id;
    this.name = name;
    this.op = op;
    this.kernel = kernel;
    this.asyncKernel = kernel instanceof AsyncKernel ? (AsyncKernel) kernel : null;
    this.flow = flow;
    this.expensive = expensive;
    this.outputTypes = outputTypes;
    this.refInputs = refInputs;
    this.allowsUninitialized = allowsUninitialized;
    this.controlInputCount = controlInputCount;
  }

  int inputCount() {
    return refInputs.length;
  }

  @Override
  public String toString() {
    return op + " '" + name + "'";
  }
}
