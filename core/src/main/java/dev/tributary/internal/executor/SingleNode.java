package dev.tributary.internal.executor;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.FunctionRuntime;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs one node by itself, outside of any step: for rewrites that want to know a value while a
 * graph is prepared.
 */
public final class SingleNode {
  private SingleNode() {}

  /**
   * The outputs of a node for these inputs, which are borrowed; the caller owns the results. Fails
   * as the node's kernel does, and with UNIMPLEMENTED for a node whose kernel is asynchronous.
   */
  public static List<Tensor> run(StepNode node, List<Tensor> inputs, Device device) {
    Kernel kernel = StatefulKernels.create(node, device, FunctionRuntime.none());
    NodeItem item = new NodeItem(0, node, kernel);
    if (item.asyncKernel != null) {
      throw TributaryException.unimplemented(
          "%s has an asynchronous kernel and runs in a step only", node);
    }
    Object[] slots = new Object[inputs.size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = SharedTensors.share(inputs.get(i));
    }
    try (LocalRendezvous rendezvous = new LocalRendezvous();
        Step step = new Step(0, new Cancellation(), CallFrame.empty(), rendezvous)) {
      NodeContext context = new NodeContext(step, device);
      try {
        context.load(item, slots, 0);
        kernel.compute(context);
        return takeAll(item, context);
      } finally {
        context.dropOutputs();
        context.release();
      }
    }
  }

  private static List<Tensor> takeAll(NodeItem item, NodeContext context) {
    int count = item.outputTypes.length;
    for (int i = 0; i < count; i++) {
      if (!context.hasOutput(i)) {
        throw TributaryException.internal("the kernel of %s left output %d unset", item.op, i);
      }
    }
    List<Tensor> outputs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      outputs.add((Tensor) context.takeOutput(i));
    }
    return outputs;
  }
}
