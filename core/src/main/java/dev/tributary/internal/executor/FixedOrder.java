package dev.tributary.internal.executor;

import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.op.FlowKind;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * A graph that can run in an order known beforehand: nothing asynchronous, and control flow only as
 * cond and while loops have it. Every output has a number, under which a step keeps its value, and
 * it is known which node uses it last. Immutable, but for the workspace of the last step, which it
 * keeps for the next one.
 *
 * <p>Among the nodes that could be next, the one that the client made first is: forward before
 * backward, and updates of variables last, when nobody holds the values that they replace.
 *
 * <p>With control flow, all nodes are {@link FlowNode}s. A node whose input is dead is passed over.
 * The nodes of a loop come one after the other, and a step runs them again and again until no value
 * goes to a next iteration; see {@link LoopRegion}.
 */
final class FixedOrder {
  final FixedNode[] nodes;
  final int valueCount;

  /** True if the nodes are {@link FlowNode}s. */
  final boolean hasControlFlow;

  private final int loopCount;
  private final Device device;
  private final AtomicReference<FixedWorkspace> idle = new AtomicReference<>();

  private FixedOrder(
      FixedNode[] nodes, int valueCount, boolean hasControlFlow, int loopCount, Device device) {
    this.nodes = nodes;
    this.valueCount = valueCount;
    this.hasControlFlow = hasControlFlow;
    this.loopCount = loopCount;
    this.device = device;
  }

  /**
   * The order of these nodes, which have no cycle; empty if they need the general executor.
   *
   * @param isSorted whether each node comes after those it waits for
   */
  static Optional<FixedOrder> of(NodeItem[] nodes, boolean isSorted, Device device) {
    boolean hasControlFlow = Arrays.stream(nodes).anyMatch(node -> node.flow != FlowKind.NONE);
    for (NodeItem node : nodes) {
      if (node.asyncKernel != null || (hasControlFlow && !hasFixedPlace(node))) {
        return Optional.empty();
      }
    }
    Numbering numbering = new Numbering(nodes);
    if (isSorted && !hasControlFlow) {
      return Optional.of(numbering.order(Arrays.asList(nodes), device));
    }
    return NodeOrder.of(nodes)
        .map(
            order ->
                hasControlFlow
                    ? numbering.orderWithFlow(order, device)
                    : numbering.order(order.sorted, device));
  }

  /**
   * Returns whether each value of a node lives for one iteration, or for all of a loop. It is not
   * so if a node other than a Merge uses what exists in the first iteration only, or in all others.
   */
  private static boolean hasFixedPlace(NodeItem node) {
    boolean isOfSomeIterations =
        node.flow == FlowKind.NEXT_ITERATION
            || (node.flow == FlowKind.ENTER && !node.isLoopInvariant);
    if (!isOfSomeIterations) {
      return !node.runsWhenDead;
    }
    return node.controlOutputs.length == 0
        && node.outputs[0].length > 0
        && Arrays.stream(node.outputs[0]).allMatch(edge -> edge.target().flow == FlowKind.MERGE);
  }

  /** A workspace for one step, which goes back with {@link #giveBack}. */
  FixedWorkspace take() {
    FixedWorkspace kept = idle.getAndSet(null);
    return kept != null ? kept : newWorkspace();
  }

  private FixedWorkspace newWorkspace() {
    FlowState flow = hasControlFlow ? new FlowState(nodes.length, loopCount) : null;
    return new FixedWorkspace(valueCount, flow, device);
  }

  /** Keeps an empty workspace for the next step. One is enough: more serve steps side by side. */
  void giveBack(FixedWorkspace workspace) {
    idle.set(workspace);
  }

  /** Finds the order and gives numbers to values. Confined to one call. */
  private static final class Numbering {
    /** The place of the last user of a value that lives as long as its loop. */
    private static final int AFTER_THE_LOOP = Integer.MAX_VALUE;

    private final NodeItem[] nodes;
    private final int[] firstOutput;
    private final int[][] inputs;
    private final boolean[][] isReference;
    private final Map<IntBuffer, int[]> arrays = new HashMap<>();
    private int valueCount;

    Numbering(NodeItem[] nodes) {
      this.nodes = nodes;
      firstOutput = new int[nodes.length];
      inputs = new int[nodes.length][];
      isReference = new boolean[nodes.length][];
      for (NodeItem node : nodes) {
        firstOutput[node.id] = valueCount;
        valueCount += node.outputTypes.length;
        inputs[node.id] = new int[node.inputCount()];
        isReference[node.id] = new boolean[node.inputCount()];
      }
      for (NodeItem node : nodes) {
        for (int i = 0; i < node.outputs.length; i++) {
          for (NodeItem.Edge edge : node.outputs[i]) {
            inputs[edge.target().id][edge.slot()] = firstOutput[node.id] + i;
            isReference[edge.target().id][edge.slot()] = node.refOutputs[i];
          }
        }
      }
    }

    FixedOrder order(List<NodeItem> sorted, Device device) {
      return new FixedOrder(fixed(sorted), valueCount, false, 0, device);
    }

    FixedOrder orderWithFlow(NodeOrder order, Device device) {
      FixedNode[] fixed = fixed(order.sorted);
      int[] places = new int[nodes.length];
      for (int place = 0; place < fixed.length; place++) {
        places[fixed[place].item.id] = place;
      }
      int[][] controls = controls(places);
      for (int place = 0; place < fixed.length; place++) {
        LoopRegion loop = order.loops.get(fixed[place].item.frame);
        fixed[place] = new FlowNode(fixed[place], place, controls[place], loop);
      }
      order.loops.forEach((frame, loop) -> fill(loop, frame, places));
      return new FixedOrder(fixed, valueCount, true, order.loops.size(), device);
    }

    /** By place, the places of the nodes that a node has control edges from and cares about. */
    private int[][] controls(int[] places) {
      List<List<Integer>> controls = new ArrayList<>();
      for (int i = 0; i < nodes.length; i++) {
        controls.add(new ArrayList<>(0));
      }
      for (NodeItem node : nodes) {
        for (NodeItem consumer : node.controlOutputs) {
          if (consumer.flow != FlowKind.MERGE && consumer.flow != FlowKind.CONTROL_TRIGGER) {
            controls.get(places[consumer.id]).add(places[node.id]);
          }
        }
      }
      return controls.stream()
          .map(sources -> shared(sources.stream().mapToInt(i -> i).toArray()))
          .toArray(int[][]::new);
    }

    private void fill(LoopRegion loop, FrameItem frame, int[] places) {
      loop.nextIterations =
          Arrays.stream(nodes)
              .filter(node -> node.flow == FlowKind.NEXT_ITERATION && node.frame == frame)
              .mapToInt(node -> firstOutput[node.id])
              .toArray();
      loop.invariants =
          Arrays.stream(nodes)
              .filter(node -> node.isLoopInvariant && node.enters == frame)
              .mapToInt(node -> firstOutput[node.id])
              .toArray();
      loop.exits =
          Arrays.stream(nodes)
              .filter(node -> node.flow == FlowKind.EXIT && node.frame == frame)
              .mapToInt(node -> places[node.id])
              .toArray();
    }

    private FixedNode[] fixed(List<NodeItem> sorted) {
      int[] lastUser = new int[valueCount];
      Arrays.fill(lastUser, -1);
      for (int place = 0; place < sorted.size(); place++) {
        for (int value : inputs[sorted.get(place).id]) {
          lastUser[value] = place;
        }
      }
      for (NodeItem node : nodes) {
        if (node.isLoopInvariant && node.outputs[0].length > 0) {
          lastUser[firstOutput[node.id]] = AFTER_THE_LOOP;
        }
      }
      FixedNode[] fixed = new FixedNode[nodes.length];
      for (int place = 0; place < fixed.length; place++) {
        fixed[place] = fixed(sorted.get(place), place, lastUser);
      }
      return fixed;
    }

    private FixedNode fixed(NodeItem node, int place, int[] lastUser) {
      int[] values = inputs[node.id];
      boolean[] references = isReference[node.id];
      int[] lastUses =
          IntStream.range(0, values.length)
              .filter(i -> lastUser[values[i]] == place && firstPlace(values, values[i]) == i)
              .toArray();
      long owned = 0;
      for (int i : lastUses) {
        if (i < Long.SIZE && !references[i] && lastPlace(values, values[i]) == i) {
          owned |= 1L << i;
        }
      }
      int first = firstOutput[node.id];
      return new FixedNode(
          node,
          values,
          owned,
          shared(lastUses),
          first,
          shared(
              IntStream.range(first, first + node.outputTypes.length)
                  .filter(value -> lastUser[value] < 0)
                  .toArray()),
          shared(IntStream.range(0, values.length).filter(i -> references[i]).toArray()));
    }

    private int[] shared(int[] array) {
      int[] equal = arrays.putIfAbsent(IntBuffer.wrap(array), array);
      return equal != null ? equal : array;
    }

    private static int firstPlace(int[] values, int value) {
      int i = 0;
      while (values[i] != value) {
        i++;
      }
      return i;
    }

    private static int lastPlace(int[] values, int value) {
      int i = values.length - 1;
      while (values[i] != value) {
        i--;
      }
      return i;
    }
  }
}
