package dev.tributary.internal.rewrite;

import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.Substitution;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Lets equal nodes be computed once: pure ones with the same op, attributes, inputs and device, and
 * no control inputs. The inputs of a commutative op are compared in any order. Small constants are
 * compared by content, large ones by identity. A node that reads a variable through a reference is
 * left alone, since its input may change between two reads. Confined to one call.
 */
public final class CommonSubexpressions {
  /** Comparing larger constants would take longer than holding two of them is worth. */
  private static final long MAX_COMPARED_BYTES = 4096;

  private record Expression(
      String op, Map<String, ?> attributes, List<StepNode.Source> inputs, String device) {
    // As a record has them, which are slow until they are compiled.

    @Override
    public boolean equals(Object other) {
      return other instanceof Expression that
          && op.equals(that.op)
          && inputs.equals(that.inputs)
          && device.equals(that.device)
          && attributes.equals(that.attributes);
    }

    @Override
    public int hashCode() {
      return Objects.hash(op, attributes, inputs, device);
    }
  }

  private record Content(DataType type, Object shape, List<ByteBuffer> elements) {}

  private final StepGraph graph;
  private final Map<StepNode, Integer> order = new HashMap<>();
  private final Map<Expression, StepNode> first = new HashMap<>();
  private final Substitution substitution = new Substitution();

  private CommonSubexpressions(StepGraph graph) {
    this.graph = graph;
  }

  /** Merges equal nodes, and returns the number of nodes that went away. */
  public static int run(StepGraph graph) {
    return new CommonSubexpressions(graph).merge();
  }

  private int merge() {
    int before = graph.nodes().size();
    for (StepNode node : graph.nodes()) {
      order.put(node, order.size());
    }
    for (StepNode node : graph.nodes()) {
      if (isMergeable(node)) {
        StepNode equal = first.putIfAbsent(expression(node), node);
        if (equal != null && !graph.isRoot(node)) {
          substitution.replace(node, equal);
        }
      }
    }
    if (substitution.isEmpty()) {
      return 0;
    }
    graph.apply(substitution);
    graph.prune();
    return before - graph.nodes().size();
  }

  private static boolean isMergeable(StepNode node) {
    return node.declaration().isPure() && node.controlInputs().isEmpty() && !readsReference(node);
  }

  private static boolean readsReference(StepNode node) {
    for (StepNode.Source input : node.inputs()) {
      if (input.isRef()) {
        return true;
      }
    }
    return false;
  }

  private Expression expression(StepNode node) {
    List<StepNode.Source> inputs = new ArrayList<>(node.inputs());
    inputs.replaceAll(substitution::of);
    if (node.declaration().def().isCommutative()) {
      inputs.sort(
          Comparator.<StepNode.Source>comparingInt(s -> order.get(s.node()))
              .thenComparingInt(StepNode.Source::index));
    }
    return new Expression(
        node.declaration().name(), comparable(node.attributes().asMap()), inputs, node.device());
  }

  /** The attributes as they are, if there is no tensor among them. */
  private static Map<String, ?> comparable(Map<String, AttrValue> attributes) {
    boolean asTheyAre = true;
    for (AttrValue value : attributes.values()) {
      asTheyAre &= !(value instanceof AttrValue.TensorValue);
    }
    if (asTheyAre) {
      return attributes;
    }
    Map<String, Object> comparable = new TreeMap<>();
    attributes.forEach((name, value) -> comparable.put(name, comparable(value)));
    return comparable;
  }

  private static Object comparable(AttrValue value) {
    if (!(value instanceof AttrValue.TensorValue)) {
      return value;
    }
    Tensor tensor = ((AttrValue.TensorValue) value).value();
    if (tensor.type() == DataType.STRING
        && tensor.elementCount() <= MAX_COMPARED_BYTES / Long.BYTES) {
      List<ByteBuffer> elements = new ArrayList<>();
      for (Object element : tensor.objects()) {
        elements.add(ByteBuffer.wrap((byte[]) element));
      }
      return new Content(tensor.type(), tensor.shape(), elements);
    }
    boolean small = !tensor.type().isObject() && tensor.byteSize() <= MAX_COMPARED_BYTES;
    return small
        ? new Content(tensor.type(), tensor.shape(), List.of(ByteBuffer.wrap(tensor.toBytes())))
        : value;
  }
}
