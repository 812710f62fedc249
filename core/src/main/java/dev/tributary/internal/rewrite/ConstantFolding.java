package dev.tributary.internal.rewrite;

import dev.tributary.internal.executor.SingleNode;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.Substitution;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes nodes that are pure and depend on constants only while a graph is prepared, and puts
 * constants in their place. A node that fails stays, so that its error surfaces when a step runs
 * it; so does one whose result passes {@link #MAX_BYTES}. A node with control inputs stays too: it
 * may lie on a branch that is not taken. Loops bound themselves, since what enters one is not
 * constant any more. Confined to one call.
 */
public final class ConstantFolding {
  /**
   * A larger result costs more memory, for the life of the session, than computing it again costs
   * time.
   */
  public static final long MAX_BYTES = 10L << 20;

  private final StepGraph graph;
  private final Device device;
  private final Map<StepNode.Source, Tensor> known = new HashMap<>();
  private final Map<StepNode, OpDeclaration> folded = new LinkedHashMap<>();

  private ConstantFolding(StepGraph graph, Device device) {
    this.graph = graph;
    this.device = device;
  }

  /** Folds what it can; the results hold for as long as the graph's compiled form runs. */
  public static FoldedConstants run(StepGraph graph, Device device) {
    Device bounded =
        new Device(
            device.name(),
            new BoundedAllocator(device.allocator(), MAX_BYTES),
            device.backend(),
            device.resources(),
            device.files(),
            device.fileThreads());
    return new ConstantFolding(graph, bounded).fold();
  }

  private FoldedConstants fold() {
    Map<StepNode, OpDeclaration> constants = new HashMap<>();
    for (StepNode node : graph.nodes()) {
      if (isConstant(node)) {
        constants.put(node, node.declaration());
        known.put(new StepNode.Source(node, 0), node.attributes().tensor("value"));
      } else if (isFoldable(node) && compute(node)) {
        OpDeclaration constant = constants.get(node.inputs().get(0).node());
        constants.put(node, constant);
        folded.put(node, constant);
      }
    }
    return substitute();
  }

  private static boolean isConstant(StepNode node) {
    return node.declaration().has(OpFlag.CONSTANT) && node.controlInputs().isEmpty();
  }

  private boolean isFoldable(StepNode node) {
    return node.declaration().isPure()
        && node.controlInputs().isEmpty()
        && !node.inputs().isEmpty()
        && !node.outputTypes().isEmpty()
        && !graph.isRoot(node)
        && known.keySet().containsAll(node.inputs())
        && node.outputTypes().stream()
            .noneMatch(t -> t == DataType.RESOURCE || t == DataType.VARIANT);
  }

  private boolean compute(StepNode node) {
    List<Tensor> outputs;
    try {
      outputs = SingleNode.run(node, node.inputs().stream().map(known::get).toList(), device);
    } catch (RuntimeException | OutOfMemoryError e) {
      return false; // The step will meet it too, and can tell its caller.
    }
    if (outputs.stream().mapToLong(ConstantFolding::sizeOf).sum() > MAX_BYTES) {
      outputs.forEach(Tensor::close);
      return false;
    }
    for (int i = 0; i < outputs.size(); i++) {
      known.put(new StepNode.Source(node, i), outputs.get(i));
    }
    return true;
  }

  /** Strings are reckoned at 64 bytes each. */
  private static long sizeOf(Tensor tensor) {
    return tensor.type().isObject() ? tensor.elementCount() * 64 : tensor.byteSize();
  }

  /** Makes constants of the results that something unfolded consumes, and gives the others back. */
  private FoldedConstants substitute() {
    if (folded.isEmpty()) {
      return FoldedConstants.none();
    }
    Set<StepNode.Source> wanted = new HashSet<>();
    graph.nodes().stream()
        .filter(n -> !folded.containsKey(n))
        .forEach(n -> wanted.addAll(n.inputs()));
    Substitution substitution = new Substitution();
    List<StepNode> sources = new ArrayList<>();
    List<Tensor> owned = new ArrayList<>();
    folded.forEach(
        (node, constant) -> {
          substitution.dropControlEdges(node);
          for (int i = 0; i < node.outputTypes().size(); i++) {
            StepNode.Source output = new StepNode.Source(node, i);
            Tensor value = known.get(output);
            if (!wanted.contains(output)) {
              value.close();
              continue;
            }
            StepNode source = constantNode(node, i, constant, value);
            substitution.replace(output, new StepNode.Source(source, 0));
            sources.add(source);
            owned.add(value);
          }
        });
    graph.apply(substitution);
    graph.addSources(sources);
    graph.prune();
    return new FoldedConstants(owned);
  }

  private static StepNode constantNode(
      StepNode node, int output, OpDeclaration constant, Tensor value) {
    StepNode source =
        new StepNode(
            node.name() + "/folded_" + output,
            constant,
            Attributes.of(
                Map.of("value", AttrValue.of(value), "dtype", AttrValue.of(value.type()))),
            node.requestedDevice(),
            List.of(value.type()));
    source.place(node.device());
    return source;
  }
}
