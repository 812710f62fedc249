package dev.tributary.internal.kernel.flow;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
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

  /** A larger array is taken for a mistake: its elements alone would fill the heap. */
  private static final int MOST_ELEMENTS = 1 << 26;

  private static final long PLACE_BYTES = 8;

  private final String name;
  private final TensorArrayOptions options;

  /** As many as were written or read, with null for those between that were not. */
  @GuardedBy("this")
  private final List<Element> elements = new ArrayList<>();

  @GuardedBy("this")
  private int size;

  @GuardedBy("this")
  private Shape elementShape;

  @GuardedBy("this")
  private boolean resizable;

  @GuardedBy("this")
  private boolean closed;

  /** The heap of the device, which all calls are on. */
  @GuardedBy("this")
  private ElementHeap heap = ElementHeap.of(MemoryBudget.UNLIMITED);

  @GuardedBy("this")
  private long heapBytes;

  public TensorArray(String name, TensorArrayOptions options, int size) {
    this.name = name;
    this.options = options;
    this.elementShape = options.elementShape();
    this.resizable = options.dynamicSize();
    if (size < 0) {
      throw TributaryException.invalidArgument("Size should be >= 0, got %d", size);
    }
    resize(size);
  }

  /** An array of the size of another, with elements of the same shapes. */
  private TensorArray(
      String name,
      TensorArrayOptions options,
      int size,
      List<Element> others,
      MemoryBudget device) {
    this(name, options, size);
    for (int i = 0; i < others.size(); i++) {
      if (others.get(i) != null) {
        element(i, device).shape = others.get(i).shape;
      }
    }
  }

  /**
   * An array for this one's gradients. From now on this one keeps its size.
   *
   * @param device the memory of the array's device
   */
  public synchronized TensorArray gradient(String gradientName, MemoryBudget device) {
    requireOpen();
    if (options.addsWrites()) {
      throw TributaryException.invalidArgument(
          "Unable to create a gradients TensorArray for %s. Gradient calculation is impossible when"
              + " multiple writes are performed to the same index.",
          name);
    }
    resizable = false;
    return new TensorArray(gradientName, options.forGradient(elementShape), size, elements, device);
  }

  public synchronized int size() {
    requireOpen();
    return size;
  }

  public DataType type() {
    return options.type();
  }

  public synchronized Shape elementShape() {
    return elementShape;
  }

  /** Makes room for {@code wanted} elements if there is less and the array may grow. */
  public synchronized boolean reserve(int wanted) {
    requireOpen();
    if (wanted > size && resizable) {
      resize(wanted);
    }
    return wanted <= size;
  }

  /** Sets an element, or adds to it in an array of gradients; takes a reference of its own. */
  public synchronized void write(int index, Tensor value, Allocator allocator) {
    requireOpen();
    if (value.type() != options.type()) {
      throw TributaryException.invalidArgument(
          "TensorArray dtype is %s but Op is trying to write dtype %s.",
          options.type().lowerName(), value.type().lowerName());
    }
    if (index < 0 || !reserve(Math.max(index, index + 1))) { // The last index has no next one.
      throw TributaryException.invalidArgument(
          "Tried to write to index %d but array is not resizeable and size is: %d", index, size);
    }
    if (!elementShape.isCompatibleWith(value.shape())) {
      throw TributaryException.invalidArgument(
          "Could not write to TensorArray index %d because the value shape is %s which is"
              + " incompatible with the TensorArray's inferred element shape: %s",
          index, value.shape(), elementShape);
    }
    Element element = element(index, allocator.budget());
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
    if (index < 0 || index >= size) {
      throw TributaryException.invalidArgument(
          "Tried to read from index %d but array size is: %d", index, size);
    }
    Element element = element(index, allocator.budget());
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
    heap.giveBack(heapBytes);
    heapBytes = 0;
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
        element.value.storage().address(),
        value.storage().address(),
        sum.storage().address(),
        Broadcast.of(value.shape(), value.shape()));
    drop(element);
    element.value = sum;
  }

  @GuardedBy("this")
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

  @GuardedBy("this")
  private void resize(int wanted) {
    if (wanted > MOST_ELEMENTS) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format(
              "TensorArray %s would have %d elements; at most %d are possible",
              name, wanted, MOST_ELEMENTS));
    }
    size = wanted;
  }

  @GuardedBy("this")
  private Element element(int index, MemoryBudget device) {
    Element element = index < elements.size() ? elements.get(index) : null;
    if (element == null) {
      takeHeap(index, device);
      while (elements.size() <= index) {
        elements.add(null);
      }
      element = new Element();
      elements.set(index, element);
    }
    return element;
  }

  /** Takes the heap of a new element, and of the places before it that are new, too. */
  @GuardedBy("this")
  private void takeHeap(int index, MemoryBudget device) {
    long places = Math.max(0, index + 1L - elements.size());
    long bytes = ElementHeap.ofElement(1) + places * PLACE_BYTES;
    heap = ElementHeap.of(device);
    heap.take(bytes, "an element of TensorArray '" + name + "'");
    heapBytes += bytes;
  }

  private static void drop(Element element) {
    if (element != null && element.value != null) {
      element.value.close();
      element.value = null;
    }
  }

  @GuardedBy("this")
  private void requireOpen() {
    if (closed) {
      throw TributaryException.invalidArgument("TensorArray %s has already been closed.", name);
    }
  }
}
