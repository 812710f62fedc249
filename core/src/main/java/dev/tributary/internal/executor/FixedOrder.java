package dev.tributary.internal.executor;

import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.op.FlowKind;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * A graph that can run in an order known beforehand: no control flow, nothing asynchronous. Every
 * output has a number, under which a step keeps its value, and it is known which node uses it last.
 * Immutable, but for the workspace of the last step, which it keeps for the next one.
 *
 * <p>Among the nodes that could be next, the one that the client made first is: forward before
 * backward, and updates of variables last, when nobody holds the values that they replace.
 */
final class FixedOrder {
  final FixedNode[] nodes;
  final int valueCount;
  private final Device device;
  private final AtomicReference<FixedWorkspace> idle = new AtomicReference<>();

  private FixedOrder(FixedNode[] nodes, int valueCount, Device device) {
    this.nodes = nodes;
    this.valueCount = valueCount;
    this.device = device;
  }

  /**
   * The order of these nodes, which have no cycle; empty if they need the general executor.
   *
   * @param isSorted whether each node comes after those it waits for
   */
  static Optional<FixedOrder> of(NodeItem[] nodes, boolean isSorted, Device device) {
    for (NodeItem node : nodes) {
      if (node.flow != FlowKind.NONE || node.asyncKernel != null) {
        return Optional.empty();
      }
    }
    Numbering numbering = new Numbering(nodes);
    return Optional.of(
        numbering.order(isSorted ? Arrays.asList(nodes) : numbering.sorted(), device));
  }

  /** A workspace for one step, which goes back with {@link #giveBack}. */
  FixedWorkspace take() {
    FixedWorkspace kept = idle.getAndSet(null);
    return kept != null ? kept : new FixedWorkspace(valueCount, device);
  }

  /** Keeps an empty workspace for the next step. One is enough: more serve steps side by side. */
  void giveBack(FixedWorkspace workspace) {
    idle.set(workspace);
  }

  /** Finds the order and gives numbers to values. Confined to one call. */
  private static final class Numbering {
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
      int[] lastUser = new int[valueCount];
      Arrays.fill(lastUser, -1);
      for (int place = 0; place < sorted.size(); place++) {
        for (int value : inputs[sorted.get(place).id]) {
          lastUser[value] = place;
        }
      }
      FixedNode[] fixed = new FixedNode[nodes.length];
      for (int place = 0; place < fixed.length; place++) {
        fixed[place] = fixed(sorted.get(place), place, lastUser);
      }
      return new FixedOrder(fixed, valueCount, device);
    }

    private List<NodeItem> sorted() {
      int[] waitsFor = new int[nodes.length];
      PriorityQueue<NodeItem> ready = new PriorityQueue<>(Comparator.comparingInt(n -> n.id));
      for (NodeItem node : nodes) {
        waitsFor[node.id] = node.inputCount() + node.controlInputCount;
        if (waitsFor[node.id] == 0) {
          ready.add(node);
        }
      }
      NodeItem[] sorted = new NodeItem[nodes.length];
      for (int place = 0; place < sorted.length; place++) {
        NodeItem next = ready.remove();
        sorted[place] = next;
        GraphCompiler.forwardConsumers(next)
            .forEach(
                consumer -> {
                  if (--waitsFor[consumer.id] == 0) {
                    ready.add(consumer);
                  }
                });
      }
      return Arrays.asList(sorted);
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
