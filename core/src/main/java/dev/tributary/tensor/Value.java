package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A tensor's elements on the Java heap: nothing to close. Immutable; arrays are copies.
 *
 * <pre>{@code
 * float loss = session.fetch(lossOutput).floatValue();
 * float[] weights = session.fetch(w).toFloats();
 * }</pre>
 *
 * <p>Elements come in row-major order and as they are stored: reading a float value as an int fails
 * with INVALID_ARGUMENT.
 */
public final class Value {
  private final DataType type;
  private final Shape shape;

  /** All elements, little-endian; empty for strings. */
  private final ByteBuffer content;

  /** The elements of a string value. */
  private final byte[][] strings;

  private Value(DataType type, Shape shape, byte[] content, byte[][] strings) {
    this.type = type;
    this.shape = shape;
    this.content = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    this.strings = strings;
  }

  /** Copies a tensor, which stays the caller's. */
  public static Value copyOf(Tensor tensor) {
    if (tensor.type() == DataType.STRING) {
      byte[][] strings =
          Arrays.stream(tensor.objects()).map(s -> ((byte[]) s).clone()).toArray(byte[][]::new);
      return new Value(tensor.type(), tensor.shape(), new byte[0], strings);
    }
    return new Value(tensor.type(), tensor.shape(), tensor.toBytes(), new byte[0][]);
  }

  public DataType type() {
    return type;
  }

  public Shape shape() {
    return shape;
  }

  public long elementCount() {
    return shape.elementCount();
  }

  /** Returns the only element. */
  public float floatValue() {
    return floatAt(scalarIndex());
  }

  /** Returns the only element. */
  public double doubleValue() {
    return doubleAt(scalarIndex());
  }

  /** Returns the only element. */
  public int intValue() {
    return intAt(scalarIndex());
  }

  /** Returns the only element. */
  public long longValue() {
    return longAt(scalarIndex());
  }

  /** Returns the only element. */
  public boolean booleanValue() {
    return booleanAt(scalarIndex());
  }

  /** Returns the only element. */
  public String stringValue() {
    return stringAt(scalarIndex());
  }

  public float getFloat(long... index) {
    return floatAt(flat(index));
  }

  public double getDouble(long... index) {
    return doubleAt(flat(index));
  }

  public int getInt(long... index) {
    return intAt(flat(index));
  }

  public long getLong(long... index) {
    return longAt(flat(index));
  }

  public boolean getBoolean(long... index) {
    return booleanAt(flat(index));
  }

  public String getString(long... index) {
    return stringAt(flat(index));
  }

  public float[] toFloats() {
    require(DataType.FLOAT);
    float[] elements = new float[content.capacity() / Float.BYTES];
    content.asFloatBuffer().get(elements);
    return elements;
  }

  public double[] toDoubles() {
    require(DataType.DOUBLE);
    double[] elements = new double[content.capacity() / Double.BYTES];
    content.asDoubleBuffer().get(elements);
    return elements;
  }

  public int[] toInts() {
    require(DataType.INT32);
    int[] elements = new int[content.capacity() / Integer.BYTES];
    content.asIntBuffer().get(elements);
    return elements;
  }

  public long[] toLongs() {
    require(DataType.INT64);
    long[] elements = new long[content.capacity() / Long.BYTES];
    content.asLongBuffer().get(elements);
    return elements;
  }

  public boolean[] toBooleans() {
    boolean[] elements = new boolean[content.capacity()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = booleanAt(i);
    }
    return elements;
  }

  public String[] toStrings() {
    require(DataType.STRING);
    return Arrays.stream(strings)
        .map(string -> new String(string, StandardCharsets.UTF_8))
        .toArray(String[]::new);
  }

  /** Returns the elements' bytes, little-endian; a string value has none. */
  public byte[] toBytes() {
    return content.array().clone();
  }

  /** Returns one part along the first dimension, such as an example of a batch. */
  public Value row(long index) {
    if (shape.rank() == 0 || index < 0 || index >= shape.size(0)) {
      throw TributaryException.outOfRange("%s has no row %d", this, index);
    }
    Shape rowShape = shape.slice(1, shape.rank());
    int count = Math.toIntExact(rowShape.elementCount());
    int first = Math.toIntExact(index * count);
    if (type == DataType.STRING) {
      byte[][] row = Arrays.copyOfRange(strings, first, first + count);
      return new Value(type, rowShape, new byte[0], row);
    }
    int size = type.size();
    byte[] row = Arrays.copyOfRange(content.array(), first * size, (first + count) * size);
    return new Value(type, rowShape, row, new byte[0][]);
  }

  /** Returns a tensor with the same elements, for the caller to close. */
  public Tensor toTensor() {
    return type == DataType.STRING
        ? Tensor.ofObjects(type, shape, (Object[]) strings.clone())
        : Tensor.of(type, shape, content.array());
  }

  private float floatAt(int i) {
    require(DataType.FLOAT);
    return content.getFloat(i * Float.BYTES);
  }

  private double doubleAt(int i) {
    require(DataType.DOUBLE);
    return content.getDouble(i * Double.BYTES);
  }

  private int intAt(int i) {
    require(DataType.INT32);
    return content.getInt(i * Integer.BYTES);
  }

  private long longAt(int i) {
    require(DataType.INT64);
    return content.getLong(i * Long.BYTES);
  }

  private boolean booleanAt(int i) {
    require(DataType.BOOL);
    return content.get(i) != 0;
  }

  private String stringAt(int i) {
    require(DataType.STRING);
    return new String(strings[i], StandardCharsets.UTF_8);
  }

  private void require(DataType wanted) {
    if (type != wanted) {
      throw TributaryException.invalidArgument(
          "%s has no %s elements: read it as %s, or cast it in the graph",
          this, wanted.lowerName(), type.lowerName());
    }
  }

  private int scalarIndex() {
    if (elementCount() != 1) {
      throw TributaryException.invalidArgument(
          "%s has %d elements: read one with an index, or all as an array", this, elementCount());
    }
    return 0;
  }

  private int flat(long[] index) {
    if (index.length != shape.rank()) {
      throw TributaryException.invalidArgument(
          "index %s has %d numbers: %s wants %d",
          Arrays.toString(index), index.length, this, shape.rank());
    }
    long place = 0;
    for (int i = 0; i < index.length; i++) {
      if (index[i] < 0 || index[i] >= shape.size(i)) {
        throw TributaryException.outOfRange(
            "index %s lies outside of %s", Arrays.toString(index), this);
      }
      place = place * shape.size(i) + index[i];
    }
    return Math.toIntExact(place);
  }

  @Override
  public String toString() {
    return "Value<" + type.lowerName() + " " + shape + ">";
  }
}
