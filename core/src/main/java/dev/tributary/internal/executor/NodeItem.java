package dev.tributary.internal.executor;

import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.SendingKernel;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * A node as the executor sees it. Edges are set by the compiler before the graph is published, and
 * then never change.
 */
final class NodeItem {
  /** The destination of an output: an input slot of a node, in the frame that holds the node. */
  record Edge(NodeItem target, int slot) {}

  final int id;
  final String name;
  final String op;

  /** The function from whose body the node comes; empty if it comes from none. */
  private final String function;

  final Kernel kernel;
  final AsyncKernel asyncKernel;
  final FlowKind flow;
  final boolean expensive;
  final boolean runsWhenDead;
  final DataType[] outputTypes;

  /** True if an output is of strings, whose bytes are to be counted. */
  final boolean hasStrings;

  final boolean[] refInputs;
  final boolean[] refOutputs;
  final boolean allowsUninitialized;
  final int controlInputCount;

  /** For each output, its consumers. */
  Edge[][] outputs;

  NodeItem[] controlOutputs;

  /**
   * For each output that goes to another device and nowhere else, that device, otherwise null; null
   * as well if there is none.
   */
  private String[] sentTo;

  /**
   * The frame the node runs in, its place there, and the place of its first input among the frame's
   * slots.
   */
  FrameItem frame;

  int placeInFrame;
  int firstSlot;

  /** For an Enter: the frame it enters. */
  FrameItem enters;

  boolean isLoopInvariant;

  NodeItem(int id, StepNode node, Kernel kernel) {
    this.id = id;
    this.name = node.name();
    this.op = node.declaration().name();
    this.function = node.function();
    this.kernel = kernel;
    this.asyncKernel = kernel instanceof AsyncKernel ? (AsyncKernel) kernel : null;
    this.flow = node.declaration().flow();
    this.expensive = node.declaration().has(OpFlag.EXPENSIVE);
    this.runsWhenDead = node.declaration().has(OpFlag.RUNS_WHEN_DEAD);
    this.outputTypes = node.outputTypes().toArray(new DataType[0]);
    this.hasStrings = node.outputTypes().contains(DataType.STRING);
    this.refInputs = new boolean[node.inputs().size()];
    for (int i = 0; i < refInputs.length; i++) {
      refInputs[i] = node.isRefInput(i);
    }
    this.refOutputs = new boolean[outputTypes.length];
    for (int i = 0; i < refOutputs.length; i++) {
      refOutputs[i] = node.isRefOutput(i);
    }
    this.allowsUninitialized = node.declaration().def().allowsUninitializedInput();
    this.controlInputCount = node.controlInputs().size();
  }

  int inputCount() {
    return refInputs.length;
  }

  /** To be called when the edges are there. */
  void findSent() {
    for (int i = 0; i < outputs.length; i++) {
      if (outputs[i].length == 1 && outputs[i][0].target().kernel instanceof SendingKernel) {
        sentTo = sentTo != null ? sentTo : new String[outputs.length];
        sentTo[i] = ((SendingKernel) outputs[i][0].target().kernel).recvDevice();
      }
    }
  }

  /** Returns whether an output goes to another device and nowhere else. */
  boolean isSent(int output) {
    return sentTo != null && sentTo[output] != null;
  }

  /** A tensor for an output; if it is sent, in memory from which that costs least. */
  Tensor allocateOutput(int output, Shape shape, Step step, Allocator allocator) {
    DataType type = outputTypes[output];
    if (isSent(output)) {
      Optional<Tensor> there = step.rendezvous().allocateFor(sentTo[output], type, shape);
      if (there.isPresent()) {
        return SharedTensors.take(there.get());
      }
    }
    return SharedTensors.allocate(allocator, type, shape);
  }

  @Override
  public String toString() {
    return StepNode.describe(op, name, function);
  }
}
