package dev.tributary.internal.executor;

import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.Step;
import java.util.Arrays;
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

  private final boolean isBrief;

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
    this.isBrief =
        fixedOrder.isPresent()
            && !fixedOrder.get().hasControlFlow
            && Arrays.stream(nodes).noneMatch(node -> node.expensive);
  }

  /**
   * Returns whether a step runs its few cheap nodes in a fixed order: it may run on the thread of
   * whoever wants it, with nothing around it.
   */
  public boolean isBrief() {
    return isBrief;
  }

  /**
   * Runs a step of a brief graph to its end, on this thread. Fails as the step does; then its
   * results are the caller's to release.
   */
  public void runBrief(Step step) {
    FixedOrder order = fixedOrder.orElseThrow();
    FixedWorkspace workspace = order.take();
    workspace.begin(step);
    FixedNode current = null;
    boolean isWhole = false;
    try {
      for (FixedNode node : order.nodes) {
        if (step.cancellation().isCancelled()) {
          throw step.cancellation().reason().orElseThrow();
        }
        current = node;
        workspace.run(node);
        current = null;
      }
      isWhole = true;
    } catch (RuntimeException | Error e) {
      if (current == null) {
        throw e;
      }
      throw StepEnding.located(current.item, device, e);
    } finally {
      if (!isWhole) {
        workspace.clear();
      }
      workspace.end();
      order.giveBack(workspace);
      step.close();
    }
  }

  /** Returns how many nodes a step without control flow runs. */
  public int size() {
    return nodes.length;
  }
}
