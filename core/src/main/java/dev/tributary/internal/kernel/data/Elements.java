package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Takes elements apart and puts them together. */
final class Elements {
  static final Tensor[] NONE = {};

  private Elements() {}

  static void close(Tensor[] components) {
    for (Tensor component : components) {
      if (component != null) {
        component.close();
      }
    }
  }

  static void close(List<Tensor[]> elements) {
    elements.forEach(Elements::close);
    elements.clear();
  }

  static Tensor[] retain(List<Tensor> components) {
    return components.stream().map(Tensor::retain).toArray(Tensor[]::new);
  }

  /** Row {@code i} of each component. */
  static Tensor[] rows(Allocator allocator, List<Tensor> components, long i) {
    Tensor[] rows = new Tensor[components.size()];
    try {
      for (int c = 0; c < rows.length; c++) {
        Tensor whole = components.get(c);
        rows[c] =
            SharedTensors.allocate(allocator, whole.type(), whole.shape().slice(1, whole.rank()));
        Moves.run(whole, i * rows[c].elementCount(), rows[c], 0, rows[c].elementCount());
        SharedTensors.countStrings(rows[c], allocator.budget());
      }
      return rows;
    } catch (RuntimeException e) {
      close(rows);
      throw e;
    }
  }

  /** Some rows of each component. */
  static Tensor[] slice(Allocator allocator, Tensor[] components, long from, long count) {
    Tensor[] slices = new Tensor[components.length];
    try {
      for (int c = 0; c < slices.length; c++) {
        Tensor whole = components[c];
        Shape row = whole.shape().slice(1, whole.rank());
        slices[c] =
            SharedTensors.allocate(allocator, whole.type(), Shape.of(count).concatenate(row));
        Moves.run(whole, from * row.elementCount(), slices[c], 0, slices[c].elementCount());
        SharedTensors.countStrings(slices[c], allocator.budget());
      }
      return slices;
    } catch (RuntimeException e) {
      close(slices);
      throw e;
    }
  }

  /** Elements of equal shapes on top of each other; they stay the caller's. */
  static Tensor[] stack(Allocator allocator, List<Tensor[]> elements) {
    Tensor[] first = elements.get(0);
    Tensor[] batch = new Tensor[first.length];
    try {
      for (int c = 0; c < batch.length; c++) {
        Shape row = first[c].shape();
        batch[c] =
            SharedTensors.allocate(
                allocator, first[c].type(), Shape.of(elements.size()).concatenate(row));
        for (int i = 0; i < elements.size(); i++) {
          Tensor source = elements.get(i)[c];
          requireLike(first[c], source, i, c);
          Moves.run(source, 0, batch[c], i * row.elementCount(), row.elementCount());
        }
        SharedTensors.countStrings(batch[c], allocator.budget());
      }
      return batch;
    } catch (RuntimeException e) {
      close(batch);
      throw e;
    }
  }

  private static void requireLike(Tensor first, Tensor other, int element, int component) {
    if (!other.shape().equals(first.shape())) {
      throw TributaryException.invalidArgument(
          "Cannot batch tensors with different shapes in component %d. First element had shape %s"
              + " and element %d had shape %s.",
          component, first.shape(), element, other.shape());
    }
    requireType(first.type(), other, component);
  }

  static void requireType(DataType wanted, Tensor tensor, int component) {
    if (tensor.type() != wanted) {
      throw TributaryException.invalidArgument(
          "Cannot batch tensors with different types in component %d: %s and %s.",
          component, wanted.lowerName(), tensor.type().lowerName());
    }
  }
}
