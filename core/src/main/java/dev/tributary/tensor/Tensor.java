package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import java.nio.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * A typed, shaped, row-major block of elements in native memory (strings, resources and variants live on the Java heap).
 *
 * <p>A tensor is immutable once it is published: whoever allocates it fills it and then only reads. Storage is
 * reference-counted and may be shared by several tensors ({@link #reshape}). Each tensor that a method returns to you carries
 * one reference, which {@link #close} releases; {@link #retain} takes another one. A {@code Tensor} may be read by many
 * threads.
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
  private final long address;

  private Tensor(DataType type, Shape shape, long elementCount, Storage storage, long address) {
    this.type = type;
    this.shape = shape;
    this.elementCount = elementCount;
    this.storage = storage;
    this.address = address;
  }

  // ---- making tensors ----

  /** A tensor with undefined contents (strings: all absent), for a kernel to fill. */
  public static Tensor allocate(Allocator allocator, DataType type, Shape shape) {
    if (!type.isSupported()) {
      throw TributaryException.unimplemented("tensors of type %s are not supported", type.lowerName());
    }
    long count = shape.elementCount();
    if (count < 0) {
      throw TributaryException.invalidArgument("a tensor needs a fully known shape, got %s", shape);
    }
    if (type.isObject()) {
      return new Tensor(type, shape, count, new ObjectStorage(new Object[Math.toIntExact(count)]), 0);
    }
    NativeStorage storage = allocator.allocate(Math.multiplyExact(count, type.size()));
    return new Tensor(type, shape, count, storage, storage.address());
  }

  public static Tensor allocate(DataType type, Shape shape) {
    return allocate(Allocator.shared(), type, shape);
  }

  /** A tensor whose bytes are all zero; strings are empty. */
  public static Tensor zeros(Allocator allocator, DataType type, Shape shape) {
    Tensor tensor = allocate(allocator, type, shape);
    if (type == DataType.STRING) {
      java.util.Arrays.fill(tensor.objects(), new byte[0]);
    } else if (!type.isObject()) {
      Memory.fill(tensor.address, tensor.byteSize(), (byte) 0);
    }
    return tensor;
  }

  public static Tensor zeros(DataType type, Shape shape) {
    return zeros(Allocator.shared(), type, shape);
  }

  public static Tensor scalar(float value) {
    Tensor tensor = allocate(DataType.FLOAT, Shape.scalar());
    Memory.putFloat(tensor.address, value);
    return tensor;
  }

  public static Tensor scalar(double value) {
    Tensor tensor = allocate(DataType.DOUBLE, Shape.scalar());
    Memory.putDouble(tensor.address, value);
    return tensor;
  }

  public static Tensor scalar(int value) {
    Tensor tensor = allocate(DataType.INT32, Shape.scalar());
    Memory.putInt(tensor.address, value);
    return tensor;
  }

  public static Tensor scalar(long value) {
    Tensor tensor = allocate(DataType.INT64, Shape.scalar());
    Memory.putLong(tensor.address, value);
    return tensor;
  }

  public static Tensor scalar(boolean value) {
    Tensor tensor = allocate(DataType.BOOL, Shape.scalar());
    Memory.putBoolean(tensor.address, value);
    return tensor;
  }

  public static Tensor scalar(String value) {
    return ofObjects(DataType.STRING, Shape.scalar(), value.getBytes(StandardCharsets.UTF_8));
  }

  public static Tensor of(float... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, float... values) {
    Tensor tensor = allocateFor(DataType.FLOAT, shape, values.length);
    Memory.copy(values, 0, tensor.address, values.length);
    return tensor;
  }

  public static Tensor of(double... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, double... values) {
    Tensor tensor = allocateFor(DataType.DOUBLE, shape, values.length);
    Memory.copy(values, 0, tensor.address, values.length);
    return tensor;
  }

  public static Tensor of(int... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, int... values) {
    Tensor tensor = allocateFor(DataType.INT32, shape, values.length);
    Memory.copy(values, 0, tensor.address, values.length);
    return tensor;
  }

  public static Tensor of(long... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, long... values) {
    Tensor tensor = allocateFor(DataType.INT64, shape, values.length);
    Memory.copy(values, 0, tensor.address, values.length);
    return tensor;
  }

  public static Tensor of(boolean... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, boolean... values) {
    Tensor tensor = allocateFor(DataType.BOOL, shape, values.length);
    Memory.copy(values, 0, tensor.address, values.length);
    return tensor;
  }

  /** A tensor of a two-byte type (int16, float16, bfloat16) from its bit patterns. */
  public static Tensor of(DataType type, Shape shape, short... bits) {
    Tensor tensor = allocateFor(type, shape, bits.length);
    tensor.requireSize(2);
    Memory.copy(bits, 0, tensor.address, bits.length);
    return tensor;
  }

  /** A tensor of any native type from the bytes of its elements, little-endian and row-major. */
  public static Tensor of(DataType type, Shape shape, byte... content) {
    Tensor tensor = allocate(type, shape);
    if (type.isObject() || tensor.byteSize() != content.length) {
      tensor.close();
      throw TributaryException.invalidArgument(
          "a %s tensor of shape %s needs %d bytes, got %d", type.lowerName(), shape, shape.elementCount() * type.size(), content.length);
    }
    Memory.copy(content, 0, tensor.address, content.length);
    return tensor;
  }

  public static Tensor of(String... values) {
    return of(Shape.of(values.length), values);
  }

  public static Tensor of(Shape shape, String... values) {
    Object[] bytes = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = values[i].getBytes(StandardCharsets.UTF_8);
    }
    return ofObjects(DataType.STRING, shape, bytes);
  }

  /** A tensor of a string ({@code byte[]}), resource or variant type; the array is taken over, not copied. */
  public static Tensor ofObjects(DataType type, Shape shape, Object... elements) {
    if (!type.isObject() || shape.elementCount() != elements.length) {
      throw TributaryException.invalidArgument(
          "%d objects do not make a %s tensor of shape %s", elements.length, type.lowerName(), shape);
    }
    return new Tensor(type, shape, elements.length, new ObjectStorage(elements), 0);
  }

  /** A tensor from the remaining elements of a buffer of the type's width, copied in one go. */
  public static Tensor of(DataType type, Shape shape, Buffer values) {
    Tensor tensor = allocateFor(type, shape, values.remaining());
    try {
      NioTransfer.copy(values, tensor.address, type);
    } catch (TributaryException e) {
      tensor.close();
      throw e;
    }
    return tensor;
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

  /** Where the elements begin in native memory. Valid while a reference is held; see {@link Memory}. */
  public long address() {
    return address;
  }

  /** The elements of a string ({@code byte[]}), resource or variant tensor; not copied, so do not change them. */
  public Object[] objects() {
    if (!(storage instanceof ObjectStorage)) {
      throw TributaryException.invalidArgument("a %s tensor has no object elements", type.lowerName());
    }
    return ((ObjectStorage) storage).elements;
  }

  // ---- sharing ----

  /** Takes another reference, for another holder to close. */
  public Tensor retain() {
    storage.retain();
    return this;
  }

  /** Releases one reference; with the last one the memory goes back to its allocator. */
  @Override
  public void close() {
    storage.release();
  }

  /** Whether the caller's reference is the only one, so that it may write into this storage. */
  public boolean isExclusive() {
    return storage.references() == 1;
  }

  /** Whether nobody holds this tensor any more. */
  public boolean isReleased() {
    return storage.references() <= 0;
  }

  /** Whether both tensors stand on the same elements. */
  public boolean sharesStorageWith(Tensor other) {
    return storage == other.storage;
  }

  /** A tensor of another shape over the same elements, with a reference of its own. */
  public Tensor withShape(Shape newShape) {
    requireCount(newShape);
    storage.retain();
    return new Tensor(type, newShape, elementCount, storage, address);
  }

  /** A tensor of another type of the same width over the same bytes, with a reference of its own. */
  public Tensor bitcast(DataType newType, Shape newShape) {
    if (newShape.elementCount() * newType.size() != byteSize() || type.isObject()) {
      throw TributaryException.invalidArgument(
          "the bytes of a %s tensor %s do not make a %s tensor %s", type.lowerName(), shape, newType.lowerName(), newShape);
    }
    storage.retain();
    return new Tensor(newType, newShape, newShape.elementCount(), storage, address);
  }

  /** This tensor in another shape; this one's reference goes over to the result. */
  public Tensor reshape(Shape newShape) {
    requireCount(newShape);
    return new Tensor(type, newShape, elementCount, storage, address);
  }

  // ---- reading ----

  public float getFloat(long index) {
    require(DataType.FLOAT, index);
    return Memory.getFloat(address + 4 * index);
  }

  public double getDouble(long index) {
    require(DataType.DOUBLE, index);
    return Memory.getDouble(address + 8 * index);
  }

  public int getInt(long index) {
    require(DataType.INT32, index);
    return Memory.getInt(address + 4 * index);
  }

  public long getLong(long index) {
    require(DataType.INT64, index);
    return Memory.getLong(address + 8 * index);
  }

  public boolean getBoolean(long index) {
    require(DataType.BOOL, index);
    return Memory.getBoolean(address + index);
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
    float[] values = new float[arrayLength(DataType.FLOAT)];
    Memory.copy(address, values, 0, values.length);
    return values;
  }

  public double[] toDoubles() {
    double[] values = new double[arrayLength(DataType.DOUBLE)];
    Memory.copy(address, values, 0, values.length);
    return values;
  }

  public int[] toInts() {
    int[] values = new int[arrayLength(DataType.INT32)];
    Memory.copy(address, values, 0, values.length);
    return values;
  }

  public long[] toLongs() {
    long[] values = new long[arrayLength(DataType.INT64)];
    Memory.copy(address, values, 0, values.length);
    return values;
  }

  public boolean[] toBooleans() {
    boolean[] values = new boolean[arrayLength(DataType.BOOL)];
    Memory.copy(address, values, 0, values.length);
    return values;
  }

  /** The elements of a string tensor, read as UTF-8. */
  public String[] toStrings() {
    String[] values = new String[arrayLength(DataType.STRING)];
    for (int i = 0; i < values.length; i++) {
      values[i] = getString(i);
    }
    return values;
  }

  /** The elements of an int32 or int64 tensor, as sizes and indices are given in either. */
  public long[] toIndices() {
    long[] values = new long[Math.toIntExact(elementCount)];
    for (int i = 0; i < values.length; i++) {
      values[i] = getIndex(i);
    }
    return values;
  }

  /** The raw little-endian bytes of all elements. */
  public byte[] toBytes() {
    byte[] content = new byte[Math.toIntExact(byteSize())];
    Memory.copy(address, content, 0, content.length);
    return content;
  }

  /** Copies all elements into a buffer of the type's width, in one go, and advances it. */
  public void copyTo(Buffer target) {
    NioTransfer.copy(address, target, type, Math.toIntExact(elementCount));
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

  private void requireSize(int bytes) {
    if (type.size() != bytes) {
      close();
      throw TributaryException.invalidArgument("a %s element is not %d bytes wide", type.lowerName(), bytes);
    }
  }

  private void requireCount(Shape newShape) {
    if (newShape.elementCount() != elementCount) {
      throw TributaryException.invalidArgument("a tensor of shape %s cannot be seen as %s", shape, newShape);
    }
  }

  private void require(DataType wanted, long index) {
    if (type != wanted) {
      throw TributaryException.invalidArgument("this tensor is %s, not %s", type.lowerName(), wanted.lowerName());
    }
    if (index < 0 || index >= elementCount) {
      throw TributaryException.outOfRange("element %d of a tensor with %d", index, elementCount);
    }
  }

  private int arrayLength(DataType wanted) {
    if (type != wanted) {
      throw TributaryException.invalidArgument("this tensor is %s, not %s", type.lowerName(), wanted.lowerName());
    }
    return Math.toIntExact(elementCount);
  }

  private long scalarIndex() {
    if (elementCount != 1) {
      throw TributaryException.invalidArgument("a tensor of shape %s is not a single value", shape);
    }
    return 0;
  }
}
