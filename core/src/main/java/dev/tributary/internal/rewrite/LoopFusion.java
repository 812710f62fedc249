package dev.tributary.internal.rewrite;

import dev.tributary.internal.kernel.loop.ElementLoop;
import dev.tributary.internal.kernel.loop.LoopChain;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.math.ChainKernel;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpDef;
import dev.tributary.internal.op.OpDefBuilder;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.Substitution;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes one node of element-wise nodes that feed each other, so that elements are read and written
 * once and not by each of them. Only what others want is written. Confined to one call; the last
 * rewrite of all, since others do not know the node that it makes.
 *
 * <p>All nodes of a group have the same shape, as far as it is known, float elements and the same
 * {@linkplain Liveness conditions}, and no control edges. No node outside of a group may lie
 * between two of its nodes. A stage sees to that: the number of times that a path from the graph's
 * sources to a node leaves groups. Nodes of one group have one stage, and all else behind a group
 * has a later one.
 */
public final class LoopFusion {
  /** Values of fewer elements, as far as sizes are known, are faster node by node. */
  private static final long FEW_ELEMENTS = 64;

  /** With more links, the tiles of a chain would leave the nearest cache. */
  private static final int MOST_LINKS = 24;

  private static final List<DataType> FLOAT = List.of(DataType.FLOAT);

  private static final OpDef OP =
      new OpDefBuilder("_FusedLoops")
          .input("operands: N * float")
          .output("results: M * float")
          .attr("N: int >= 1")
          .attr("M: int >= 1")
          .build();

  private final StepGraph graph;
  private final Consumers consumers;

  /** The nodes that others wait for by control edges. */
  private final Set<StepNode> awaited = new HashSet<>();

  private final Set<StepNode> loops = new HashSet<>();
  private final Map<StepNode, Integer> stages = new HashMap<>();
  private final Map<StepNode, Group> groups = new HashMap<>();

  /** Nodes that become one, each behind those it consumes. */
  private static final class Group {
    final List<StepNode> nodes = new ArrayList<>();

    StepNode last() {
      return nodes.get(nodes.size() - 1);
    }
  }

  private LoopFusion(StepGraph graph) {
    this.graph = graph;
    this.consumers = new Consumers(graph);
  }

  /** Fuses what it can, and returns the number of fused nodes. */
  public static int run(StepGraph graph) {
    return new LoopFusion(graph).fuse();
  }

  private int fuse() {
    graph.nodes().forEach(node -> awaited.addAll(node.controlInputs()));
    graph.nodes().stream().filter(this::isLoop).forEach(loops::add);
    final List<StepNode> sorted = loops.size() < 2 ? List.of() : sorted();
    if (sorted.isEmpty()) {
      return 0;
    }
    final Liveness liveness = new Liveness(sorted);
    for (StepNode node : sorted) {
      stages.put(node, stage(node, liveness));
      if (loops.contains(node)) {
        join(node, liveness);
      }
    }
    final Substitution substitution = new Substitution();
    final Map<StepNode, List<StepNode>> made = new HashMap<>();
    for (Group group : new LinkedHashSet<>(groups.values())) {
      if (group.nodes.size() > 1) {
        made.put(group.last(), List.of(fusedNode(group, substitution)));
      }
    }
    graph.insertBefore(made);
    graph.apply(substitution);
    graph.prune();
    return made.size();
  }

  private boolean isLoop(StepNode node) {
    final Optional<ElementLoop> loop = loop(node);
    return loop.isPresent()
        && loop.get().supports(DataType.FLOAT)
        && node.outputTypes().equals(FLOAT)
        && node.controlInputs().isEmpty()
        && !graph.isRoot(node)
        && isLarge(node.outputShapes().get(0))
        && node.inputs().stream()
            .allMatch(input -> input.type() == DataType.FLOAT && !input.isRef())
        && !awaited.contains(node);
  }

  /**
   * The loop of an element-wise node; a sum of two values that surely have one shape is one too.
   */
  private static Optional<ElementLoop> loop(StepNode node) {
    return isSumOfTwo(node) ? Optional.of(Arithmetic.ADD) : node.declaration().kernel().loop();
  }

  private static boolean isSumOfTwo(StepNode node) {
    return node.declaration().def().isAggregate()
        && node.declaration().has(OpFlag.PASSES_SINGLE_INPUT)
        && node.inputs().size() == 2
        && node.inputs().get(0).shape().isFullyDefined()
        && node.inputs().get(0).shape().equals(node.inputs().get(1).shape());
  }

  private static boolean isLarge(Shape shape) {
    long known = 1;
    for (int i = 0; shape.hasRank() && i < shape.rank(); i++) {
      known *= shape.size(i) == Shape.UNKNOWN ? 1 : shape.size(i);
    }
    return known >= FEW_ELEMENTS;
  }

  /**
   * All nodes, each behind those it waits for, but for what begins a loop's next iteration. Nothing
   * if there is no such order.
   */
  private List<StepNode> sorted() {
    final Map<StepNode, Integer> open = new HashMap<>();
    final Deque<StepNode> ready = new ArrayDeque<>();
    for (StepNode node : graph.nodes()) {
      int inputs = node.controlInputs().size();
      for (StepNode.Source input : node.inputs()) {
        inputs += beginsIteration(input.node()) ? 0 : 1;
      }
      open.put(node, inputs);
      if (inputs == 0) {
        ready.add(node);
      }
    }
    final List<StepNode> sorted = new ArrayList<>(open.size());
    while (!ready.isEmpty()) {
      final StepNode node = ready.remove();
      sorted.add(node);
      if (!beginsIteration(node)) {
        for (StepNode next : consumers.of(node)) {
          if (open.merge(next, -1, Integer::sum) == 0) {
            ready.add(next);
          }
        }
      }
    }
    return sorted.size() == open.size() ? sorted : List.of();
  }

  private static boolean beginsIteration(StepNode node) {
    return node.declaration().flow() == FlowKind.NEXT_ITERATION;
  }

  private int stage(StepNode node, Liveness liveness) {
    int latest = 0;
    for (StepNode.Source input : node.inputs()) {
      if (!beginsIteration(input.node())) {
        final int bump = loops.contains(input.node()) && !fit(input.node(), node, liveness) ? 1 : 0;
        latest = Math.max(latest, stages.get(input.node()) + bump);
      }
    }
    for (StepNode before : node.controlInputs()) {
      latest = Math.max(latest, stages.get(before) + (loops.contains(before) ? 1 : 0));
    }
    return latest;
  }

  /** Returns whether a node and one that consumes it may be in one group, stages apart. */
  private boolean fit(StepNode before, StepNode node, Liveness liveness) {
    return loops.contains(before)
        && loops.contains(node)
        && before.outputShapes().equals(node.outputShapes())
        && before.device().equals(node.device())
        && before.function().equals(node.function())
        && liveness.of(before).equals(liveness.of(node));
  }

  /**
   * Puts a node into one group with all inputs of its stage. If that would be too large, the node
   * begins a new stage.
   */
  private void join(StepNode node, Liveness liveness) {
    final Set<Group> before = new LinkedHashSet<>();
    for (StepNode.Source input : node.inputs()) {
      if (fit(input.node(), node, liveness) && stages.get(input.node()).equals(stages.get(node))) {
        before.add(groups.get(input.node()));
      }
    }
    final Group joined = new Group();
    if (before.stream().mapToInt(group -> group.nodes.size()).sum() < MOST_LINKS) {
      before.forEach(group -> joined.nodes.addAll(group.nodes));
    } else {
      stages.merge(node, 1, Integer::sum);
    }
    joined.nodes.add(node);
    joined.nodes.forEach(member -> groups.put(member, joined));
  }

  private StepNode fusedNode(Group group, Substitution substitution) {
    final Map<StepNode.Source, Integer> values = new HashMap<>();
    final List<StepNode.Source> operands = new ArrayList<>();
    for (StepNode node : group.nodes) {
      for (StepNode.Source input : node.inputs()) {
        if (groups.get(input.node()) != group
            && values.putIfAbsent(input, operands.size()) == null) {
          operands.add(input);
        }
      }
    }
    final List<LoopChain.Link> links = new ArrayList<>();
    final List<StepNode> results = new ArrayList<>();
    for (StepNode node : group.nodes) {
      final List<StepNode.Source> inputs = node.inputs();
      values.put(new StepNode.Source(node, 0), operands.size() + links.size());
      links.add(
          new LoopChain.Link(
              loop(node).orElseThrow(),
              values.get(inputs.get(0)),
              values.get(inputs.get(inputs.size() - 1))));
      if (consumers.of(node).stream().anyMatch(next -> groups.get(next) != group)) {
        results.add(node);
      }
    }
    final int[] stored =
        results.stream().mapToInt(node -> values.get(new StepNode.Source(node, 0))).toArray();
    final StepNode last = group.last();
    final StepNode fused =
        new StepNode(
            last.name(),
            declaration(new LoopChain(operands.size(), links, stored)),
            Attributes.of(
                Map.of("N", AttrValue.of(operands.size()), "M", AttrValue.of(stored.length))),
            last.requestedDevice(),
            results.stream().map(node -> DataType.FLOAT).toList(),
            results.stream().map(node -> node.outputShapes().get(0)).toList());
    fused.inputs().addAll(operands);
    fused.place(last.device());
    fused.comesFrom(last.function());
    for (int i = 0; i < stored.length; i++) {
      substitution.replace(new StepNode.Source(results.get(i), 0), new StepNode.Source(fused, i));
    }
    return fused;
  }

  private static OpDeclaration declaration(LoopChain chain) {
    final ChainKernel kernel = new ChainKernel(chain);
    return new OpDeclaration(
        OP,
        context -> {},
        Optional.empty(),
        node -> kernel,
        Optional.empty(),
        FlowKind.NONE,
        Set.of());
  }
}
