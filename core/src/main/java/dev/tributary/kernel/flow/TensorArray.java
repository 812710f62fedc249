package dev.tributary.kernel.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Resource;
import dev.tributary.kernel.loop.Broadcast;
import dev.tributary.kernel.math.Arithmetic;
import dev.tributary.tensor.Allocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * An array of tensors that a loop fills and reads. Each element is written once and, unless told
 * otherwise, read once: reading forgets it. The array of an array's gradients is another one, in
 * which writes to one element add up. Guarded by its own monitor.
 */
public final class TensorArray implements Resource {
  private static final class Element {
    private Tensor value;
    private Shape shape = Shape.unknown();
    private boolean written;
    private boolean read;
    private boolean cleared;
  }

  private final String name;
  private final TensorArrayOptions options;
  private final List<Element> elements = new ArrayList<>();
  private Shape elementShape;
  private boolean resizable;
  private boolean closed;

  public TensorArray(String name, TensorArrayOptions options, int size) {
    this.name = name;
    this.options = options;
    this.elementShape = options.elementShape();
    this.resizable = options.dynamicSize();
    if (size < 0) {
      throw TributaryException.invalidArgument("Size should be >= 0, got %d", size);
    }
    grow(size);
  }

  /** An array for this one's gradients. From now on this one keeps its size. */
  public synchronized TensorArray gradient(String gradientName) {
    requireOpen();
    if (options.addsWrites()) {
      throw TributaryException.invalidArgument(
          "Unable to create a gradients TensorArray for %s. Gradient calculation is impossible when"
              + " multiple writes are performed to the same index.",
          name);
    }
    resizable = false;
    TensorArray gradient =
        new TensorArray(gradientName, options.forGradient(elementShape), elements.size());
    for (int i = 0; i < elements.size(); i++) {
      gradient.elements.get(i).shape = elements.get(i).shape;
    }
    return gradient;
  }

  public synchronized int size() {
    requireOpen();
    return elements.size();
  }

  public DataType type() {
    return options.type();
  }

  public synchronized Shape elementShape() {
    return elementShape;
  }

  /** Makes room for {@code size} elements if there is less and the array may grow. */
  public synchronized boolean reserve(int size) {
    requireOpen();
    if (size > elements.size() && resizable) {
      grow(size);
    }
    return size <= elements.size();
  }

  /** Sets an element, or adds to it in an array of gradients; takes a reference of its own. */
  public synchronized void write(int index, Tensor value, Allocator allocator) {
    requireOpen();
    if (value.type() != options.type()) {
      throw TributaryException.invalidArgument(
          "TensorArray dtype is %s but Op is trying to write dtype %s.",
          options.type().lowerName(), value.type().lowerName());
    }
    if (index < 0 || !reserve(index + 1)) {
      throw TributaryException.invalidArgument(
          "Tried to write to index %d but array is not resizeable and size is: %d",
          index, elements.size());
    }
    if (!elementShape.isCompatibleWith(value.shape())) {
      throw TributaryException.invalidArgument(
          "Could not write to TensorArray index %d because the value shape is %s which is"
              + " incompatible with the TensorArray's inferred element shape: %s",
          index, value.shape(), elementShape);
    }
    Element element = elements.get(index);
    if (element.read) {
      throw TributaryException.invalidArgument(
          "Could not write to TensorArray index %d because it has already been read.", index);
    }
    if (element.written && !options.addsWrites()) {
      throw TributaryException.invalidArgument(
          "Could not write to TensorArray index %d because it has already been written to.", index);
    }
    if (options.identicalShapes()) {
      elementShape = value.shape();
    }
    put(element, index, value, allocator);
  }

  /**
   * An element, with a reference of its own: zeros if nothing was written and the shape is known.
   */
  public synchronized Tensor read(int index, Allocator allocator) {
    requireOpen();
    if (index < 0 || index >= elements.size()) {
      throw TributaryException.invalidArgument(
          "Tried to read from index %d but array size is: %d", index, elements.size());
    }
    Element element = elements.get(index);
    if (element.cleared) {
      throw TributaryException.invalidArgument(
          "Could not read index %d twice because it was cleared after a previous read (perhaps try"
              + " setting clear_after_read = false?).",
          index);
    }
    if (element.value == null) {
      element.value =
          SharedTensors.zeros(allocator, options.type(), unwrittenShape(element, index));
    }
    element.read = true;
    Tensor value = element.value.retain();
    if (options.clearAfterRead()) {
      drop(element);
      element.cleared = true;
    }
    return value;
  }

  @Override
  public synchronized void close() {
    closed = true;
    elements.forEach(TensorArray::drop);
    elements.clear();
  }

  private void put(Element element, int index, Tensor value, Allocator allocator) {
    if (element.value == null) {
      element.value = value.retain();
      element.shape = value.shape();
      element.written = true;
      return;
    }
    if (!element.value.shape().equals(value.shape())) {
      throw TributaryException.invalidArgument(
          "Could not aggregate to TensorArray index %d because the existing shape is %s but the new"
              + " input shape is %s.",
          index, element.value.shape(), value.shape());
    }
    Arithmetic.ADD.requireSupport(value.type());
    Tensor sum = SharedTensors.allocate(allocator, value.type(), value.shape());
    Arithmetic.ADD.run(
        value.type(),
        element.value.address(),
        value.address(),
        sum.address(),
        Broadcast.of(value.shape(), value.shape()));
    drop(element);
    element.value = sum;
  }

  private Shape unwrittenShape(Element element, int index) {
    Shape shape = element.shape.isFullyDefined() ? element.shape : elementShape;
    if (!shape.isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "Could not read from TensorArray index %d. Furthermore, the element shape is not fully"
              + " defined: %s. It was not written to; with a full element_shape it would be zeros.",
          index, shape);
    }
    return shape;
  }

  private void grow(int size) {
    while (elements.size() < size) {
      elements.add(new Element());
    }
  }

  private static void drop(Element element) {
    if (element.value != null) {
      element.value.close();
      element.value = null;
    }
  }

  private void requireOpen() {
    if (closed) {
      throw TributaryException.invalidArgument("TensorArray %s has already been closed.", name);
    }
  }
}
