package dev.tributary.internal.kernel.lookup;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Values of a table in tensors, one after the other. As a Java value each is its only element or,
 * if it is a vector, the list of its elements; so values are equal when their elements are.
 * Immutable.
 *
 * @param shape of one value, a scalar or a vector
 */
record TableValues(Shape shape) {
  Object get(Tensor values, int i) {
    if (shape.isScalar()) {
      return Elements.get(values, i);
    }
    int size = size();
    List<Object> elements = new ArrayList<>(size);
    for (int j = 0; j < size; j++) {
      elements.add(Elements.get(values, i * size + j));
    }
    return elements;
  }

  void put(Tensor values, int i, Object value) {
    if (shape.isScalar()) {
      Elements.put(values, i, value);
      return;
    }
    int place = i * size();
    for (Object element : (List<?>) value) {
      Elements.put(values, place++, element);
    }
  }

  private int size() {
    return (int) shape.elementCount();
  }
}
