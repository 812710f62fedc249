package dev.tributary.internal.executor;

import dev.tributary.internal.op.FlowKind;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * An order in which each node comes after those it waits for, and the nodes of a loop come one
 * after the other. Among those that could be next, the one that the client made first is. Confined
 * to one call.
 */
final class NodeOrder {
  /** More loops inside each other than any program has. */
  private static final int MAX_DEPTH = 64;

  final List<NodeItem> sorted = new ArrayList<>();
  final Map<FrameItem, LoopRegion> loops = new IdentityHashMap<>();

  private final Map<FrameItem, Level> levels = new IdentityHashMap<>();
  private final int[] waitsFor;

  /** A frame, as one unit among the nodes of the frame around it. */
  private static final class Level {
    final List<NodeItem> nodes = new ArrayList<>();
    final List<Level> children = new ArrayList<>();
    final FrameItem frame;
    int waitsFor;

    Level(FrameItem frame) {
      this.frame = frame;
    }
  }

  /** A node, or a whole loop if there is a level. */
  private record Unit(int id, NodeItem node, Level level) implements Comparable<Unit> {
    @Override
    public int compareTo(Unit other) {
      return Integer.compare(id, other.id);
    }
  }

  private NodeOrder(int nodeCount) {
    waitsFor = new int[nodeCount];
  }

  /**
   * Sorts nodes; empty if a loop needs what comes out of it, as loops that share a frame may, or if
   * loops are nested too deeply.
   */
  static Optional<NodeOrder> of(NodeItem[] nodes) {
    NodeOrder order = new NodeOrder(nodes.length);
    for (NodeItem node : nodes) {
      if (order.level(node.frame, MAX_DEPTH) == null) {
        return Optional.empty();
      }
      order.levels.get(node.frame).nodes.add(node);
    }
    for (NodeItem node : nodes) {
      order.countWaiting(node);
    }
    for (Level level : order.levels.values()) {
      if (level.frame.parent == null) {
        order.append(level, null);
      }
    }
    return order.sorted.size() == nodes.length ? Optional.of(order) : Optional.empty();
  }

  private Level level(FrameItem frame, int depth) {
    Level known = levels.get(frame);
    if (known != null || depth == 0) {
      return known;
    }
    Level made = new Level(frame);
    if (frame.parent != null) {
      Level parent = level(frame.parent, depth - 1);
      if (parent == null) {
        return null;
      }
      parent.children.add(made);
    }
    levels.put(frame, made);
    return made;
  }

  private void countWaiting(NodeItem node) {
    for (NodeItem consumer : GraphCompiler.forwardConsumers(node)) {
      if (node.flow == FlowKind.ENTER) {
        levels.get(node.enters).waitsFor++;
      } else {
        waitsFor[consumer.id]++;
      }
    }
  }

  private void append(Level level, LoopRegion around) {
    PriorityQueue<Unit> ready = new PriorityQueue<>();
    for (NodeItem node : level.nodes) {
      if (waitsFor[node.id] == 0) {
        ready.add(new Unit(node.id, node, null));
      }
    }
    for (Level child : level.children) {
      if (child.waitsFor == 0) {
        ready.add(unit(child));
      }
    }
    while (!ready.isEmpty()) {
      Unit next = ready.remove();
      if (next.level == null) {
        sorted.add(next.node);
        if (next.node.flow != FlowKind.EXIT) {
          settle(next.node, ready);
        }
      } else {
        appendLoop(next.level, around);
        for (NodeItem node : next.level.nodes) {
          if (node.flow == FlowKind.EXIT) {
            settle(node, ready);
          }
        }
      }
    }
  }

  private void appendLoop(Level level, LoopRegion around) {
    int size = size(level);
    LoopRegion loop =
        new LoopRegion(
            loops.size(),
            around,
            level.frame.frameNameHash,
            sorted.size(),
            sorted.size() + size - 1);
    loops.put(level.frame, loop);
    append(level, loop);
  }

  private static int size(Level level) {
    return level.nodes.size() + level.children.stream().mapToInt(NodeOrder::size).sum();
  }

  /** Counts a node as done for each one that waits for it. */
  private void settle(NodeItem node, PriorityQueue<Unit> ready) {
    for (NodeItem consumer : GraphCompiler.forwardConsumers(node)) {
      if (node.flow == FlowKind.ENTER) {
        Level entered = levels.get(node.enters);
        if (--entered.waitsFor == 0) {
          ready.add(unit(entered));
        }
      } else if (--waitsFor[consumer.id] == 0) {
        ready.add(new Unit(consumer.id, consumer, null));
      }
    }
  }

  private static Unit unit(Level loop) {
    return new Unit(loop.nodes.get(0).id, null, loop);
  }
}
