package dev.tributary.graph;

import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Tensor;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tensors in the attributes of a graph's operations. The graph has a reference of its own to
 * each; readers get them on loan and cannot close them.
 *
 * <p>The references end with {@link Graph#close}, or when nobody can reach the graph any more. A
 * loan names its operation, so whoever has one reaches the graph; this object must not, and
 * therefore knows the shared tensors behind the loans. Guarded by the graph's monitor.
 */
final class GraphTensors implements Runnable {
  /** Made with the first graph. */
  private static final Cleaner CLEANER =
      Cleaner.create(
          task -> {
            Thread thread = new Thread(task, "tributary-graph-cleaner");
            thread.setDaemon(true);
            return thread;
          });

  private final List<Tensor> references = new ArrayList<>();

  private GraphTensors() {}

  /** Makes the keeper of a graph's tensors, which outlives the graph by a little. */
  static GraphTensors of(Graph graph) {
    GraphTensors tensors = new GraphTensors();
    CLEANER.register(graph, tensors);
    return tensors;
  }

  int count() {
    return references.size();
  }

  /** Leaves alone, from now on, the references that came after the first {@code count}. */
  void forget(int count) {
    references.subList(count, references.size()).clear();
  }

  /** Gives back what a graph that was never closed still had. */
  @Override
  public void run() {
    references.forEach(Tensor::close);
    references.clear();
  }

  /**
   * The same attributes, with references of the graph's own.
   *
   * @param owner the operation, for error messages
   */
  Attributes keep(Attributes attributes, Operation owner) {
    SortedMap<String, AttrValue> kept = null;
    for (Map.Entry<String, AttrValue> entry : attributes.asMap().entrySet()) {
      AttrValue own = keep(entry.getValue(), owner);
      if (own != entry.getValue()) {
        kept = kept == null ? new TreeMap<>(attributes.asMap()) : kept;
        kept.put(entry.getKey(), own);
      }
    }
    return kept == null ? attributes : Attributes.takingOver(kept);
  }

  /** Gives back the references that {@link #keep} took; {@link #forget} must follow. */
  static void release(Attributes attributes) {
    attributes.asMap().values().forEach(GraphTensors::release);
  }

  private AttrValue keep(AttrValue value, Operation owner) {
    if (value instanceof AttrValue.TensorValue tensor) {
      return AttrValue.of(lend(tensor.value(), owner));
    } else if (value instanceof AttrValue.ByteVector bytes) {
      try (Tensor tensor = bytes.toTensor()) {
        return AttrValue.of(lend(tensor, owner));
      }
    } else if (value instanceof AttrValue.Function function && !function.attributes().isEmpty()) {
      Map<String, AttrValue> kept = new HashMap<>(function.attributes());
      kept.replaceAll((name, attribute) -> keep(attribute, owner));
      return new AttrValue.Function(function.name(), kept);
    } else if (value instanceof AttrValue.ListValue list && mayHoldTensors(list)) {
      return new AttrValue.ListValue(list.values().stream().map(v -> keep(v, owner)).toList());
    }
    return value;
  }

  /** Most lists are of numbers and types, and stay as they are. */
  private static boolean mayHoldTensors(AttrValue.ListValue list) {
    return !list.values().isEmpty()
        && (list.values().get(0) instanceof AttrValue.TensorValue
            || list.values().get(0) instanceof AttrValue.Function);
  }

  private Tensor lend(Tensor tensor, Operation owner) {
    Tensor lent = SharedTensors.lend(tensor, owner);
    references.add(SharedTensors.behind(lent));
    return lent;
  }

  private static void release(AttrValue value) {
    if (value instanceof AttrValue.TensorValue tensor) {
      SharedTensors.endLoan(tensor.value());
    } else if (value instanceof AttrValue.Function function) {
      function.attributes().values().forEach(GraphTensors::release);
    } else if (value instanceof AttrValue.ListValue list) {
      list.values().forEach(GraphTensors::release);
    }
  }
}
