package dev.tributary.internal.executor;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.FunctionRuntime;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.OwningKernel;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.tensor.DataType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The kernels of stateful nodes, one for each name, whichever steps a node takes part in: a random
 * op continues its sequence even when another fetch compiles the graph again. One object for a
 * graph on a device. Safe for use by many threads. Closing it, when no step runs any more, closes
 * the kernels that own resources.
 */
public final class StatefulKernels implements AutoCloseable {
  private final Map<String, Kernel> byNode = new ConcurrentHashMap<>();

  Kernel kernelOf(StepNode node, Device device, FunctionRuntime functions) {
    if (!keepsState(node.declaration())) {
      return create(node, device, functions);
    }
    Kernel known = byNode.get(node.name());
    if (known != null) {
      return known;
    }
    Kernel created = create(node, device, functions);
    Kernel earlier = byNode.putIfAbsent(node.name(), created);
    if (earlier == null) {
      return created;
    }
    if (created instanceof OwningKernel owning) {
      owning.close();
    }
    return earlier;
  }

  @Override
  public void close() {
    for (Kernel kernel : byNode.values()) {
      if (kernel instanceof OwningKernel) {
        ((OwningKernel) kernel).close();
      }
    }
    byNode.clear();
  }

  /**
   * A transfer is stateful only to be left alone by rewrites: its state is the rendezvous. The
   * functions that a kernel calls are those of one graph, which ends before the session.
   */
  private static boolean keepsState(OpDeclaration op) {
    return op.def().isStateful()
        && !op.has(OpFlag.RUNS_WHEN_DEAD)
        && !op.has(OpFlag.CALLS_ELSEWHERE)
        && !op.has(OpFlag.CALLS_IN_KERNEL);
  }

  static Kernel create(StepNode node, Device device, FunctionRuntime functions) {
    try {
      List<DataType> inputTypes = node.inputs().stream().map(StepNode.Source::type).toList();
      return node.declaration()
          .kernel()
          .create(
              new KernelNode(
                  node.name(),
                  node.declaration().name(),
                  node.attributes(),
                  inputTypes,
                  node.outputTypes(),
                  device,
                  functions));
    } catch (TributaryException e) {
      throw e.at(node.toString());
    }
  }
}
