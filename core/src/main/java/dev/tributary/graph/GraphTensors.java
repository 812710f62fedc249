package dev.tributary.graph;

import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tensors in the attributes of a graph's operations. The graph has a reference of its own to
 * each; readers get them on loan and cannot close them.
 */
final class GraphTensors {
  private GraphTensors() {}

  /**
   * The same attributes, with references of the graph's own.
   *
   * @param owner the operation, for error messages
   */
  static Attributes keep(Attributes attributes, Operation owner) {
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

  /** Gives back the references that {@link #keep} took. */
  static void release(Attributes attributes) {
    attributes.asMap().values().forEach(GraphTensors::release);
  }

  private static AttrValue keep(AttrValue value, Operation owner) {
    if (value instanceof AttrValue.TensorValue tensor) {
      return AttrValue.of(SharedTensors.lend(tensor.value(), owner));
    } else if (value instanceof AttrValue.ByteVector bytes) {
      try (Tensor tensor = bytes.toTensor()) {
        return AttrValue.of(SharedTensors.lend(tensor, owner));
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
