package dev.tributary.internal.executor;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.FunctionRuntime;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a {@link StepGraph} into an {@link ExecutableGraph}: makes the kernels, finds which frame
 * each node runs in, and numbers nodes and input slots frame by frame. Confined to one call.
 */
public final class GraphCompiler {
  private final StepGraph graph;
  private final Device device;
  private final StatefulKernels kernels;
  private final FunctionRuntime functions;
  private final Map<StepNode, NodeItem> items = new IdentityHashMap<>();
  private final FrameItem root = new FrameItem();
  private final Map<String, FrameItem> framesByName = new LinkedHashMap<>();

  private GraphCompiler(
      StepGraph graph, Device device, StatefulKernels kernels, FunctionRuntime functions) {
    this.graph = graph;
    this.device = device;
    this.kernels = kernels;
    this.functions = functions;
  }

  /**
   * Compiles a graph for one device. Graphs compiled with the same {@code kernels} share the state
   * of stateful nodes.
   */
  public static ExecutableGraph compile(StepGraph graph, Device device, StatefulKernels kernels) {
    return compile(graph, device, kernels, FunctionRuntime.none());
  }

  /** The same for a graph with kernels that call functions. */
  public static ExecutableGraph compile(
      StepGraph graph, Device device, StatefulKernels kernels, FunctionRuntime functions) {
    return new GraphCompiler(graph, device, kernels, functions).run();
  }

  private ExecutableGraph run() {
    NodeItem[] nodes = new NodeItem[graph.nodes().size()];
    for (int i = 0; i < nodes.length; i++) {
      StepNode node = graph.nodes().get(i);
      nodes[i] = new NodeItem(i, node, kernels.kernelOf(node, device, functions));
      items.put(node, nodes[i]);
    }
    boolean isSorted = connect(nodes);
    for (NodeItem node : nodes) {
      node.findSent();
    }
    if (!isSorted) {
      checkCycles(nodes);
    }
    assignFrames();
    for (NodeItem node : nodes) {
      place(node);
    }
    List<FrameItem> frames = new ArrayList<>(List.of(root));
    frames.addAll(framesByName.values());
    for (FrameItem frame : frames) {
      frame.initialPending = new int[frame.nodeCount];
    }
    List<NodeItem> sources = new ArrayList<>();
    for (NodeItem node : nodes) {
      node.frame.initialPending[node.placeInFrame] =
          node.controlInputCount + (node.flow == FlowKind.MERGE ? 0 : node.inputCount());
      if (node.inputCount() == 0 && node.controlInputCount == 0) {
        sources.add(node);
      }
    }
    return new ExecutableGraph(
        device,
        nodes,
        frames.toArray(new FrameItem[0]),
        sources.toArray(new NodeItem[0]),
        FixedOrder.of(nodes, isSorted, device));
  }

  /**
   * Counts the edges first, so that each array is made once and in its size. Tells whether each
   * node comes after those it waits for.
   */
  private boolean connect(NodeItem[] nodes) {
    boolean isSorted = true;
    int[][] uses = new int[nodes.length][];
    int[] waiters = new int[nodes.length];
    for (NodeItem item : nodes) {
      uses[item.id] = new int[item.outputTypes.length];
    }
    for (StepNode node : graph.nodes()) {
      for (StepNode.Source source : node.inputs()) {
        uses[items.get(source.node()).id][source.index()]++;
      }
      for (StepNode source : node.controlInputs()) {
        waiters[items.get(source).id]++;
      }
    }
    for (NodeItem item : nodes) {
      item.outputs = new NodeItem.Edge[item.outputTypes.length][];
      for (int i = 0; i < item.outputs.length; i++) {
        item.outputs[i] = new NodeItem.Edge[uses[item.id][i]];
      }
      item.controlOutputs = new NodeItem[waiters[item.id]];
    }
    for (StepNode node : graph.nodes()) {
      NodeItem target = items.get(node);
      for (int slot = 0; slot < node.inputs().size(); slot++) {
        StepNode.Source source = node.inputs().get(slot);
        NodeItem from = items.get(source.node());
        NodeItem.Edge[] edges = from.outputs[source.index()];
        isSorted &= from.id < target.id;
        edges[edges.length - uses[from.id][source.index()]--] = new NodeItem.Edge(target, slot);
      }
      for (StepNode source : node.controlInputs()) {
        NodeItem from = items.get(source);
        from.controlOutputs[from.controlOutputs.length - waiters[from.id]--] = target;
        isSorted &= from.id < target.id;
      }
    }
    return isSorted;
  }

  /**
   * Nodes on a cycle would wait for each other without end; only the edges out of a NextIteration
   * may go back.
   */
  private static void checkCycles(NodeItem[] nodes) {
    int[] waitsFor = new int[nodes.length];
    for (NodeItem node : nodes) {
      forwardConsumers(node).forEach(consumer -> waitsFor[consumer.id]++);
    }
    Deque<NodeItem> open = new ArrayDeque<>();
    for (NodeItem node : nodes) {
      if (waitsFor[node.id] == 0) {
        open.add(node);
      }
    }
    while (!open.isEmpty()) {
      for (NodeItem consumer : forwardConsumers(open.remove())) {
        if (--waitsFor[consumer.id] == 0) {
          open.add(consumer);
        }
      }
    }
    for (NodeItem node : nodes) {
      if (waitsFor[node.id] > 0) {
        throw TributaryException.invalidArgument(
            "%s is part of a cycle that no loop closes, or comes after one", node);
      }
    }
  }

  /** The nodes that wait for this one, once for each edge. */
  static List<NodeItem> forwardConsumers(NodeItem node) {
    List<NodeItem> consumers = new ArrayList<>();
    if (node.flow != FlowKind.NEXT_ITERATION) {
      for (NodeItem.Edge[] edges : node.outputs) {
        for (NodeItem.Edge edge : edges) {
          consumers.add(edge.target());
        }
      }
      consumers.addAll(Arrays.asList(node.controlOutputs));
    }
    return consumers;
  }

  /** Walks forward from the sources; an Enter leads into a frame, an Exit leads out. */
  private void assignFrames() {
    if (!graph.hasControlFlow()) {
      items.values().forEach(item -> item.frame = root);
      return;
    }
    Deque<StepNode> open = new ArrayDeque<>();
    Map<StepNode, List<StepNode>> consumers = graph.consumers();
    for (StepNode node : graph.nodes()) {
      if (node.inputs().isEmpty() && node.controlInputs().isEmpty()) {
        items.get(node).frame = root;
        open.add(node);
      }
    }
    while (!open.isEmpty()) {
      StepNode node = open.remove();
      FrameItem after = frameAfter(node);
      for (StepNode consumer : consumers.getOrDefault(node, List.of())) {
        NodeItem item = items.get(consumer);
        if (item.frame == null) {
          item.frame = after;
          open.add(consumer);
        } else if (item.frame != after) {
          throw TributaryException.invalidArgument(
              "%s has inputs from frame '%s' and from frame '%s': a value inside a loop can be"
                  + " used, fed or fetched only there",
              consumer, item.frame.name, after.name);
        }
      }
    }
    for (StepNode node : graph.nodes()) {
      if (items.get(node).frame == null) {
        throw TributaryException.invalidArgument(
            "%s only follows from its own loop, which nothing enters", node);
      }
      checkRootOnly(node);
    }
  }

  private void checkRootOnly(StepNode node) {
    boolean isNamed = graph.isRoot(node) && !graph.rootLabel(node).isEmpty();
    if (isNamed && items.get(node).frame != root) {
      throw TributaryException.invalidArgument(
          "%s is inside the loop '%s', where it has many values or none: take what leaves the loop"
              + " instead",
          graph.rootLabel(node), items.get(node).frame.name.substring(1));
    }
  }

  private FrameItem frameAfter(StepNode node) {
    NodeItem item = items.get(node);
    if (item.flow == FlowKind.ENTER) {
      return enter(node, item);
    }
    if (item.flow == FlowKind.EXIT) {
      if (item.frame.parent == null) {
        throw TributaryException.invalidArgument("%s leaves a loop that it is not in", node);
      }
      return item.frame.parent;
    }
    return item.frame;
  }

  private FrameItem enter(StepNode node, NodeItem item) {
    String frameName = node.attributes().string("frame_name");
    FrameItem entered =
        framesByName.computeIfAbsent(
            item.frame.name + "/" + frameName, path -> new FrameItem(frameName, item.frame));
    if (item.enters == null) {
      entered.enterCount++;
      entered.parallelIterations =
          (int)
              Math.max(
                  1, Math.min(Integer.MAX_VALUE, node.attributes().integer("parallel_iterations")));
      item.enters = entered;
      item.isLoopInvariant = node.attributes().bool("is_constant");
    }
    return entered;
  }

  private static void place(NodeItem node) {
    node.placeInFrame = node.frame.nodeCount++;
    node.firstSlot = node.frame.slotCount;
    node.frame.slotCount += node.inputCount();
  }
}
