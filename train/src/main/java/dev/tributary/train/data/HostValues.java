package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.tensor.JavaValues;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Tensors for what functions of Java return. */
final class HostValues {
  private HostValues() {}

  /**
   * The components of an element: a pair, a list or elements have one part for each, a map one for
   * each name, and anything else is the only component.
   */
  static List<Tensor> components(Object value, ElementSpec<?> spec) {
    List<Object> parts = new ArrayList<>();
    if (value instanceof Map<?, ?> named) {
      for (String name : spec.names()) {
        parts.add(required(named, name));
      }
    } else {
      add(value, parts);
    }
    if (parts.size() != spec.types().size()) {
      throw TributaryException.invalidArgument(
          "the program's value has %d components, wanted %d: %s",
          parts.size(), spec.types().size(), spec);
    }
    List<Tensor> tensors = new ArrayList<>();
    try {
      parts.forEach(part -> tensors.add(JavaValues.toTensor(part)));
    } catch (RuntimeException e) {
      tensors.forEach(Tensor::close);
      throw e;
    }
    return tensors;
  }

  private static Object required(Map<?, ?> named, String name) {
    Object part = named.get(name);
    if (part == null) {
      throw TributaryException.invalidArgument(
          "the program's value has no component '%s', it has %s", name, named.keySet());
    }
    return part;
  }

  private static void add(Object value, List<Object> parts) {
    if (value instanceof Pair<?, ?> pair) {
      add(pair.first(), parts);
      add(pair.second(), parts);
    } else if (value instanceof Collection<?> several) {
      several.forEach(part -> add(part, parts));
    } else if (value == null) {
      throw TributaryException.invalidArgument("the program's value is null: return a value");
    } else {
      parts.add(value);
    }
  }
}
