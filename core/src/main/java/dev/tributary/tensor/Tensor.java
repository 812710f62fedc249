package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Hold;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.ObjectStorage;
import dev.tributary.internal.memory.Storage;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A typed, shaped, row-major block of elements in native memory (strings, resources and variants
 * live on the Java heap).
 *
 * <p>A tensor is immutable once it is published: whoever allocates it fills it and then only reads.
 * A {@code Tensor} may be read by many threads.
 *
 * <p>Ownership: a tensor that you make or fetch is yours until you {@link #close} it; closing it
 * again does nothing. Closing gives up your claim and nobody else's: elements that a graph, a
 * variable, a running step or another tensor still needs stay. What you pass to a method stays
 * yours; whoever needs it for longer takes a reference of its own. {@link #retain} returns a second
 * tensor with the same elements, which is closed for itself. Reading a closed tensor fails with
 * FAILED_PRECONDITION; after {@link #track track(true)} the error says where the tensor was closed.
 *
 * <pre>{@code
 * try (Tensor x = Tensor.of(new float[] {1, 2, 3, 4}).reshape(Shape.of(2, 2))) { ... }
 * }</pre>
 */
public final class Tensor implements AutoCloseable {
  private final DataType type;
  private final Shape shape;
  private final long elementCount;
  private final Storage storage;

  private Tensor(DataType type, Shape shape, long elementCount, Storage storage) {
    this.type = type;
    this.shape = shape;
    this.elementCount = elementCount;
    this.storage = storage;
  }

  // ---- making tensors ----

  /** A tensor with undefined contents (strings: all absent), for the caller to fill. */
  public static Tensor allocate(Allocator allocator, DataType type, Shape shape) {
    return held(allocateShared(allocator, type, shape), null);
  }

  /** The same as a shared tensor, with one reference. */
  public static Tensor allocateShared(Allocator allocator, DataType type, Shape shape) {
    if (!type.isSupported()) {
      throw TributaryException.unimplemented(
          "tensors of type %s are not supported", type.lowerName());
    }
    long count = shape.elementCount();
    if (count < 0) {
      throw TributaryException.invalidArgument("a tensor needs a fully known shape, got %s", shape);
    }
    if (type.isObject()) {
      return new Tensor(type, shape, count, ObjectStorage.ofSize(count, type == DataType.VARIANT));
    }
    if (count > Long.MAX_VALUE / type.size()) {
      throw TributaryException.invalidArgument(
          "a %s tensor of shape %s has more bytes than 2^63", type.lowerName(), shape);
    }
    return new Tensor(type, shape, count, allocator.allocate(count * type.size()));
  }

  public static Tensor allocate(DataType type, Shape shape) {
    return allocate(Allocator.shared(), type, shape);
  }

  /** A shared tensor over elements that exist; it takes over a reference to them. */
  public static Tensor over(DataType type, Shape shape, Storage storage) {
    return new Tensor(type, shape, shape.elementCount(), storage);
  }

  /** The tensor of one holder. */
  public static Tensor held(Hold<Tensor> hold) {
    Tensor shared = hold.shared();
    return new Tensor(shared.type, shared.shape, shared.elementCount, hold);
  }

  /** A tensor of one holder, which takes over a reference to a shared one. */
  private static Tensor held(Tensor shared, Object origin) {
    return held(new Hold<>(shared, shared.storage, origin, false));
  }

  /** A tensor whose bytes are all zero; strings are empty. */
  public static Tensor zeros(Allocator allocator, DataType type, Shape shape) {
    Tensor tensor = allocate(allocator, type, shape);
    if (type == DataType.STRING) {
      Arrays.fill(tensor.objects(), new byte[0]);
    } else if (!type.isObject()) {
      Memory.fill(tensor.storage.address(), tensor.byteSize(), (byte) 0);
    }
    return tensor;
  }

  public static Tensor zeros(DataType type, Shape shape) {
    return zeros(Allocator.shared(), type, shape);
  }

  public static Tensor scalar(float value) {
    return of(Shape.scalar(), value);
  }

  public static Tensor scalar(double value) {
    return of(Shape.scalar(), value);
  }

  public static Tensor scalar(int value) {
    return of(Shape.scalar(), value);
  }

  public static Tensor scalar(long value) {
    return of(Shape.scalar(), value);
  }

  public static Tensor scalar(boolean value) {
    return of(Shape.scalar(), value);
  }

  public static Tensor scalar(String value) {
    return of(Shape.scalar(), value);
  }

  public static Tensor of(float... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, float... values) {
    return ofArray(DataType.FLOAT, shape, values, values.length);
  }

  public static Tensor of(double... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, double... values) {
    return ofArray(DataType.DOUBLE, shape, values, values.length);
  }

  public static Tensor of(int... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, int... values) {
    return ofArray(DataType.INT32, shape, values, values.length);
  }

  public static Tensor of(long... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, long... values) {
    return ofArray(DataType.INT64, shape, values, values.length);
  }

  public static Tensor of(boolean... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, boolean... values) {
    return ofArray(DataType.BOOL, shape, values, values.length);
  }

  /** A complex64 tensor from the real and the imaginary part of each element in turn. */
  public static Tensor ofComplex(Shape shape, float... parts) {
    return ofParts(DataType.COMPLEX64, shape, parts, parts.length);
  }

  /** A complex128 tensor from the real and the imaginary part of each element in turn. */
  public static Tensor ofComplex(Shape shape, double... parts) {
    return ofParts(DataType.COMPLEX128, shape, parts, parts.length);
  }

  /** A tensor of a two-byte type (int16, float16, bfloat16) from its bit patterns. */
  public static Tensor of(DataType type, Shape shape, short... bits) {
    if (type.size() != 2) {
      throw TributaryException.invalidArgument(
          "a %s element is not 2 bytes wide", type.lowerName());
    }
    return ofArray(type, shape, bits, bits.length);
  }

  /** A tensor of any native type from the bytes of its elements, little-endian and row-major. */
  public static Tensor of(DataType type, Shape shape, byte... content) {
    return ofBytes(Allocator.shared(), type, shape, ByteBuffer.wrap(content));
  }

  /** A tensor of any native type from the bytes of its elements, little-endian and row-major. */
  public static Tensor ofBytes(
      Allocator allocator, DataType type, Shape shape, ByteBuffer content) {
    return ofBytes(allocator, type, shape, List.of(content));
  }

  /** The same from bytes that lie in several places, as those of a received message do. */
  public static Tensor ofBytes(
      Allocator allocator, DataType type, Shape shape, List<ByteBuffer> content) {
    long length = 0;
    for (ByteBuffer piece : content) {
      length += piece.remaining();
    }
    if (type.isObject()
        || length % type.size() != 0
        || length / type.size() != shape.elementCount()) {
      throw TributaryException.invalidArgument(
          "%d bytes do not make a %s tensor of shape %s, whose elements have %d bytes each",
          length, type.lowerName(), shape, type.size());
    }
    Tensor tensor = allocate(allocator, type, shape);
    long address = tensor.storage.address();
    for (ByteBuffer piece : content) {
      int size = piece.remaining();
      Memory.bytes(address, size).put(piece);
      address += size;
    }
    return tensor.withCleanBooleans();
  }

  public static Tensor of(String... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, String... values) {
    Object[] bytes = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = values[i].getBytes(StandardCharsets.UTF_8);
    }
    Tensor strings = ofObjects(DataType.STRING, shape, bytes);
    // Made by a program, so no session counts them.
    ((ObjectStorage) strings.shared().storage).countStrings(Allocator.shared().budget());
    return strings;
  }

  /**
   * A tensor of a string ({@code byte[]}), resource or variant type; the array is taken over, not
   * copied, and so are references to what variants hold.
   */
  public static Tensor ofObjects(DataType type, Shape shape, Object... elements) {
    if (!type.isObject() || shape.elementCount() != elements.length) {
      throw TributaryException.invalidArgument(
          "%d objects do not make a %s tensor of shape %s",
          elements.length, type.lowerName(), shape);
    }
    Storage objects = new ObjectStorage(elements, type == DataType.VARIANT);
    return held(over(type, shape, objects), null);
  }

  /** A tensor from the remaining elements of a buffer of the type's width, copied in one go. */
  public static Tensor of(DataType type, Shape shape, Buffer values) {
    Tensor tensor = allocateFor(type, shape, values.remaining());
    try {
      NioTransfer.copy(values, tensor.storage.address(), type);
    } catch (TributaryException e) {
      tensor.close();
      throw e;
    }
    return tensor.withCleanBooleans();
  }

  // ---- what it is ----

  public DataType type() {
    return type;
  }

  public Shape shape() {
    return shape;
  }

  public int rank() {
    return shape.rank();
  }

  public long elementCount() {
    return elementCount;
  }

  /** Bytes of all elements; 0 for strings and other objects. */
  public long byteSize() {
    return elementCount * type.size();
  }

  /** Returns the elements' memory and the count of references to it. */
  public Storage storage() {
    requireOpen();
    return storage;
  }

  /**
   * The elements of a string ({@code byte[]}), resource or variant tensor; not copied, so do not
   * change them.
   */
  public Object[] objects() {
    if (!type.isObject()) {
      throw TributaryException.invalidArgument(
          "a %s tensor has no object elements", type.lowerName());
    }
    requireOpen();
    return ((ObjectStorage) shared().storage).elements();
  }

  // ---- sharing ----

  /**
   * Turns leak detection on or off: from now on tensors remember where they were made, for {@link
   * #live}, and where they were closed, for the errors of a later use. It costs a stack trace each.
   */
  public static void track(boolean on) {
    Allocator.shared().track(on);
  }

  /** Returns where the tensors that are not closed were made, as far as they were tracked then. */
  public static List<Throwable> live() {
    return Allocator.shared().live();
  }

  /**
   * Returns another tensor with the same elements, to be closed for itself. Inside the runtime, for
   * shared tensors, that is this one with one reference more.
   */
  public Tensor retain() {
    Hold<Tensor> hold = hold();
    if (hold != null) {
      return held(hold.share(), hold.origin());
    }
    if (!storage.retain(1)) {
      throw usedAfterClose();
    }
    return this;
  }

  /**
   * Gives up the caller's claim. With the last claim to the elements, their memory goes back to its
   * allocator. Closing a tensor again does nothing.
   */
  @Override
  public void close() {
    Hold<Tensor> hold = hold();
    if (hold != null) {
      hold.close();
    } else if (!storage.release()) {
      throw TributaryException.internal("%s was released more often than retained", this);
    }
  }

  /** Returns whether the caller's claim is the only one, so that it may write into the elements. */
  public boolean isExclusive() {
    Hold<Tensor> hold = hold();
    return hold != null ? hold.isExclusive() : storage.references() == 1;
  }

  /** Returns whether this tensor was closed. */
  public boolean isClosed() {
    return !storage.isLive();
  }

  /** Fails with FAILED_PRECONDITION if this tensor was closed. */
  public void requireOpen() {
    if (!storage.isLive()) {
      throw usedAfterClose();
    }
  }

  /** Returns whether both tensors have the same elements in the same place. */
  public boolean sharesStorageWith(Tensor other) {
    return shared().storage == other.shared().storage;
  }

  /** A tensor of another shape over the same elements, to be closed for itself. */
  public Tensor withShape(Shape newShape) {
    requireCount(newShape);
    return seenAs(type, newShape);
  }

  /** A tensor of another type over the same bytes, to be closed for itself. */
  public Tensor bitcast(DataType newType, Shape newShape) {
    boolean bytesOnly = !type.isObject() && !newType.isObject() && newType.isSupported();
    // Any byte is a number, but not any byte is a bool.
    boolean meaningful = newType != DataType.BOOL || type == DataType.BOOL;
    if (!bytesOnly
        || !meaningful
        || byteSize() % newType.size() != 0
        || newShape.elementCount() != byteSize() / newType.size()) {
      throw TributaryException.invalidArgument(
          "the bytes of a %s tensor %s do not make a %s tensor %s",
          type.lowerName(), shape, newType.lowerName(), newShape);
    }
    return seenAs(newType, newShape);
  }

  /** This tensor in another shape; the result takes the place of this tensor, which is closed. */
  public Tensor reshape(Shape newShape) {
    if (newShape.equals(shape)) {
      return this;
    }
    requireCount(newShape);
    Hold<Tensor> hold = hold();
    if (hold == null) {
      return new Tensor(type, newShape, elementCount, storage);
    }
    Tensor reshaped = new Tensor(type, newShape, elementCount, hold.take().storage);
    return held(reshaped, hold.origin());
  }

  /** The claim that this tensor gives up once; null if this tensor is a shared one. */
  @SuppressWarnings("unchecked") // A tensor's hold is one of a tensor.
  public Hold<Tensor> hold() {
    return storage instanceof Hold ? (Hold<Tensor>) storage : null;
  }

  private Tensor shared() {
    Hold<Tensor> hold = hold();
    return hold != null ? hold.shared() : this;
  }

  private Tensor seenAs(DataType newType, Shape newShape) {
    Hold<Tensor> hold = hold();
    Storage elements = hold != null ? hold.share().storage : retain().storage;
    Tensor other = over(newType, newShape, elements);
    return hold != null ? held(other, hold.origin()) : other;
  }

  private TributaryException usedAfterClose() {
    Hold<Tensor> hold = hold();
    return hold != null
        ? hold.usedAfterClose()
        : TributaryException.internal("%s was used after its last reference was released", this);
  }

  // ---- reading ----

  public float getFloat(long index) {
    require(DataType.FLOAT, index);
    return Memory.getFloat(storage().address() + 4 * index);
  }

  public double getDouble(long index) {
    require(DataType.DOUBLE, index);
    return Memory.getDouble(storage().address() + 8 * index);
  }

  public int getInt(long index) {
    require(DataType.INT32, index);
    return Memory.getInt(storage().address() + 4 * index);
  }

  public long getLong(long index) {
    require(DataType.INT64, index);
    return Memory.getLong(storage().address() + 8 * index);
  }

  public boolean getBoolean(long index) {
    require(DataType.BOOL, index);
    return Memory.getBoolean(storage().address() + index);
  }

  /** The element of a string tensor, read as UTF-8. */
  public String getString(long index) {
    require(DataType.STRING, index);
    return new String((byte[]) objects()[(int) index], StandardCharsets.UTF_8);
  }

  /** An int32 or int64 element, as sizes and indices are given in either. */
  public long getIndex(long index) {
    return type == DataType.INT32 ? getInt(index) : getLong(index);
  }

  public float floatValue() {
    return getFloat(scalarIndex());
  }

  public double doubleValue() {
    return getDouble(scalarIndex());
  }

  public int intValue() {
    return getInt(scalarIndex());
  }

  public long longValue() {
    return getLong(scalarIndex());
  }

  public boolean booleanValue() {
    return getBoolean(scalarIndex());
  }

  public String stringValue() {
    return getString(scalarIndex());
  }

  public float[] toFloats() {
    return toArray(DataType.FLOAT, float[]::new);
  }

  public double[] toDoubles() {
    return toArray(DataType.DOUBLE, double[]::new);
  }

  /** The real and the imaginary part of each element of a complex64 tensor in turn. */
  public float[] toComplexFloats() {
    return toArray(DataType.COMPLEX64, count -> new float[arrayLength(2L * count)]);
  }

  /** The real and the imaginary part of each element of a complex128 tensor in turn. */
  public double[] toComplexDoubles() {
    return toArray(DataType.COMPLEX128, count -> new double[arrayLength(2L * count)]);
  }

  public int[] toInts() {
    return toArray(DataType.INT32, int[]::new);
  }

  public long[] toLongs() {
    return toArray(DataType.INT64, long[]::new);
  }

  public boolean[] toBooleans() {
    return toArray(DataType.BOOL, boolean[]::new);
  }

  /** The elements of a string tensor, read as UTF-8. */
  public String[] toStrings() {
    requireType(DataType.STRING);
    String[] values = new String[arrayLength(elementCount)];
    for (int i = 0; i < values.length; i++) {
      values[i] = getString(i);
    }
    return values;
  }

  /** The elements of an int32 or int64 tensor, as sizes and indices are given in either. */
  public long[] toIndices() {
    long[] values = new long[arrayLength(elementCount)];
    for (int i = 0; i < values.length; i++) {
      values[i] = getIndex(i);
    }
    return values;
  }

  /** The raw little-endian bytes of all elements. */
  public byte[] toBytes() {
    if (type.isObject()) {
      throw TributaryException.invalidArgument("a %s tensor has no raw bytes", type.lowerName());
    }
    byte[] content = new byte[arrayLength(byteSize())];
    Memory.copyArray(storage().address(), content, content.length);
    return content;
  }

  /** Copies all elements into a buffer of the type's width, in one go, and advances it. */
  public void copyTo(Buffer target) {
    NioTransfer.copy(storage().address(), target, type, arrayLength(elementCount));
  }

  @Override
  public String toString() {
    return "Tensor<" + type.lowerName() + " " + shape + ">";
  }

  private static Tensor allocateFor(DataType type, Shape shape, long count) {
    if (shape.elementCount() != count) {
      throw TributaryException.invalidArgument("shape %s does not hold %d elements", shape, count);
    }
    return allocate(type, shape);
  }

  private static Tensor ofParts(DataType type, Shape shape, Object parts, int count) {
    if (count % 2 != 0) {
      throw TributaryException.invalidArgument(
          "%d parts do not make a %s tensor, whose elements have two each",
          count, type.lowerName());
    }
    return ofArray(type, shape, parts, count / 2);
  }

  private static Tensor ofArray(DataType type, Shape shape, Object values, int count) {
    Tensor tensor = allocateFor(type, shape, count);
    Memory.copyArray(values, tensor.storage.address(), tensor.byteSize());
    return tensor;
  }

  private <A> A toArray(DataType wanted, IntFunction<A> newArray) {
    requireType(wanted);
    A values = newArray.apply(arrayLength(elementCount));
    Memory.copyArray(storage().address(), values, byteSize());
    return values;
  }

  /**
   * This tensor, unless it has bytes from outside which are no Java booleans; these would break the
   * JVM's own rules.
   */
  private Tensor withCleanBooleans() {
    if (type == DataType.BOOL) {
      for (long i = 0; i < elementCount; i++) {
        byte value = Memory.getByte(storage.address() + i);
        if ((value & ~1) != 0) {
          close();
          throw TributaryException.invalidArgument(
              "a bool is the byte 0 or 1, got %d as element %d", value & 0xff, i);
        }
      }
    }
    return this;
  }

  private void requireCount(Shape newShape) {
    if (newShape.elementCount() != elementCount) {
      throw TributaryException.invalidArgument(
          "a tensor of shape %s cannot be seen as %s", shape, newShape);
    }
  }

  private void requireType(DataType wanted) {
    if (type != wanted) {
      throw TributaryException.invalidArgument(
          "this tensor is %s, not %s", type.lowerName(), wanted.lowerName());
    }
  }

  private void require(DataType wanted, long index) {
    requireType(wanted);
    if (index < 0 || index >= elementCount) {
      throw TributaryException.outOfRange("element %d of a tensor with %d", index, elementCount);
    }
  }

  private int arrayLength(long length) {
    if (length > Integer.MAX_VALUE - 8) {
      throw TributaryException.invalidArgument(
          "a %s tensor of shape %s is too large for one array", type.lowerName(), shape);
    }
    return (int) length;
  }

  private long scalarIndex() {
    if (elementCount != 1) {
      throw TributaryException.invalidArgument("a tensor of shape %s is not a single value", shape);
    }
    return 0;
  }
}
