package dev.tributary.internal.tensor;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The list of tensors that a variant tensor can hold. Elements may be unset, which a reader sees as
 * zeros. A list has a reference to each of its elements, which are shared tensors, and takes no
 * memory for those that were never set.
 *
 * <p>A list is a value. The methods that change one are for a kernel that has the only reference to
 * it; see {@link Variant}. A {@link #copy} has the same elements and copies none of them.
 */
public final class TensorList extends Variant {
  /** The name of such a value in TensorFlow's messages. */
  public static final String TYPE_NAME = "tensorflow::TensorList";

  /** The limit of a list that may have any number of elements. */
  public static final int UNLIMITED = -1;

  /** A longer list is taken for a mistake: its elements alone would fill the heap. */
  private static final int MOST_ELEMENTS = 1 << 26;

  private static final int FIRST_CAPACITY = 8;

  /** Shorter arrays are not counted: their elements cost more. */
  private static final int LONG = 1 << 12;

  private static final long REFERENCE_BYTES = 8;

  /** An element far beyond the others needs an array up to it, which no allocator counts. */
  private static final MemoryBudget HEAP =
      new MemoryBudget(Runtime.getRuntime().maxMemory() / 8, "the size of the Java heap (-Xmx)");

  private final DataType elementType;
  private final Shape elementShape;
  private final int limit;
  private int size;
  private int levels = 1;

  /** Null where an element is unset; those past the end of the array are unset, too. */
  private Tensor[] tensors = new Tensor[0];

  /**
   * A list without elements.
   *
   * @param elementShape what is known of every element's shape
   * @param limit how many elements may be pushed to it; {@link #UNLIMITED} if any number
   */
  public TensorList(DataType elementType, Shape elementShape, int limit) {
    this.elementType = elementType;
    this.elementShape = elementShape;
    this.limit = limit;
  }

  public DataType elementType() {
    return elementType;
  }

  public Shape elementShape() {
    return elementShape;
  }

  public int limit() {
    return limit;
  }

  public int size() {
    return size;
  }

  /** Returns whether the element at an index below the {@link #size} is set. */
  public boolean isSet(int index) {
    return index < tensors.length && tensors[index] != null;
  }

  /** The element that is set at an index, borrowed: valid for as long as the list is. */
  public Tensor get(int index) {
    return tensors[index];
  }

  /** A list of the same elements, with references of its own, and one reference to itself. */
  public TensorList copy() {
    return withElementsOf(new TensorList(elementType, elementShape, limit));
  }

  /** The same with another shape that is known of every element, and without a limit. */
  public TensorList copyAs(Shape knownShape) {
    return withElementsOf(new TensorList(elementType, knownShape, UNLIMITED));
  }

  private TensorList withElementsOf(TensorList copy) {
    copy.size = size;
    copy.levels = levels;
    copy.ensureCapacity(Math.min(size, tensors.length));
    System.arraycopy(tensors, 0, copy.tensors, 0, copy.tensors.length);
    for (Tensor tensor : copy.tensors) {
      if (tensor != null) {
        tensor.retain();
      }
    }
    return copy;
  }

  /** Sets an element, whose reference goes over to the list unless this fails. */
  public void set(int index, Tensor tensor) {
    if (index >= tensors.length) {
      ensureCapacity(Math.max(FIRST_CAPACITY, Math.max(index + 1, 2 * tensors.length)));
    }
    if (elementType == DataType.VARIANT) {
      levels = Math.max(levels, levelsAround(tensor.objects()));
    }
    Tensor before = tensors[index];
    tensors[index] = SharedTensors.take(tensor);
    if (before != null) {
      before.close();
    }
  }

  private void ensureCapacity(int capacity) {
    long bytes = countedBytes(capacity);
    HEAP.reserve(bytes, "the elements of a tensor list");
    long before = countedBytes(tensors.length);
    try {
      tensors = Arrays.copyOf(tensors, capacity);
    } catch (OutOfMemoryError e) {
      HEAP.release(bytes);
      throw e;
    }
    HEAP.release(before);
  }

  private static long countedBytes(int capacity) {
    return capacity > LONG ? capacity * REFERENCE_BYTES : 0;
  }

  /** Adds an element at the end, whose reference goes over to the list unless this fails. */
  public void push(Tensor tensor) {
    resize(size + 1);
    set(size - 1, tensor);
  }

  /** Cuts elements off, or adds unset ones. */
  public void resize(int newSize) {
    requirePossible(newSize);
    for (int i = newSize; i < Math.min(size, tensors.length); i++) {
      if (tensors[i] != null) {
        tensors[i].close();
        tensors[i] = null;
      }
    }
    size = newSize;
  }

  /** Fails if no list has so many elements. */
  public static void requirePossible(int size) {
    if (size < 0 || size > MOST_ELEMENTS) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format(
              "a tensor list would have %d elements; at most %d are possible",
              Integer.toUnsignedLong(size), MOST_ELEMENTS));
    }
  }

  @Override
  protected int levels() {
    return levels;
  }

  @Override
  protected void releaseHeld() {
    for (Tensor tensor : tensors) {
      if (tensor != null) {
        tensor.close();
      }
    }
    HEAP.release(countedBytes(tensors.length));
    tensors = new Tensor[0];
  }

  @Override
  public String toString() {
    return "TensorList<" + elementType.lowerName() + " " + elementShape + ">[" + size + "]";
  }
}
