package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.AbstractList;
import java.util.List;

/**
 * One element of a dataset as tensors: its components by position and, if they have names, by name.
 * The tensors belong to the {@link Iteration} and are closed when it goes on; {@link Tensor#retain}
 * keeps one for longer. Immutable.
 */
public final class Elements extends AbstractList<Tensor> {
  private final List<String> names;
  private final List<Tensor> components;

  Elements(List<String> names, List<Tensor> components) {
    this.names = names;
    this.components = components;
  }

  @Override
  public Tensor get(int component) {
    return components.get(component);
  }

  public Tensor get(String name) {
    int place = names.indexOf(name);
    if (place < 0 || name.isEmpty()) {
      throw TributaryException.notFound(
          "no component '%s'; there are %s",
          name, names.stream().filter(known -> !known.isEmpty()).toList());
    }
    if (names.lastIndexOf(name) != place) {
      throw TributaryException.invalidArgument(
          "several components are called '%s': ask for one by its position", name);
    }
    return components.get(place);
  }

  @Override
  public int size() {
    return components.size();
  }
}
