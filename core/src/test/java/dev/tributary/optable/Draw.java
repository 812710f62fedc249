package dev.tributary.optable;

import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Function;

/**
 * Draws the random inputs and attributes of one call, from a seed. The element type and the kind of
 * size are given; a row's generator makes of it what suits its op.
 */
public final class Draw {
  /** What sizes the call shall have. */
  public enum Size {
    /** Small ordinary tensors. */
    ORDINARY,
    /** At least one input without elements. */
    EMPTY,
    /** Scalars where the op takes them. */
    SCALAR
  }

  private final Random random;
  private final DataType type;
  private final Size size;

  public Draw(long seed, DataType type, Size size) {
    this.random = new Random(seed);
    this.type = type;
    this.size = size;
  }

  public Random random() {
    return random;
  }

  public DataType type() {
    return type;
  }

  public Size size() {
    return size;
  }

  /** An integer from {@code low} to {@code high}, both included. */
  public int integer(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  public boolean flip() {
    return random.nextBoolean();
  }

  @SafeVarargs
  public final <E> E oneOf(E... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /**
   * A shape of the given rank range with sizes 1 to 5; with a 0 among them for {@link Size#EMPTY};
   * [] for SCALAR.
   */
  public Shape shape(int lowRank, int highRank) {
    if (size == Size.SCALAR) {
      return Shape.scalar();
    }
    int rank = integer(size == Size.EMPTY ? Math.max(1, lowRank) : lowRank, highRank);
    long[] sizes = new long[rank];
    for (int i = 0; i < rank; i++) {
      sizes[i] = integer(1, 5);
    }
    if (size == Size.EMPTY) {
      sizes[random.nextInt(rank)] = 0;
    }
    return Shape.of(sizes);
  }

  /**
   * A tensor of the call's type: floating values and parts of complex ones in [-2, 2), integers in
   * [-9, 9] (unsigned: [0, 18]), any boolean.
   */
  public Tensor tensor(Shape shape) {
    return tensor(type, shape, -2, 2);
  }

  /**
   * A tensor of any type with values in [low, high), where integers are rounded down; strings hold
   * such integers.
   */
  public Tensor tensor(DataType elementType, Shape shape, double low, double high) {
    if (elementType.isComplex()) {
      return ofParts(elementType, shape, part -> tensor(part, pairs(shape), low, high));
    }
    Tensor tensor = Tensor.allocate(elementType, shape);
    boolean whole = elementType.lowerName().contains("int");
    double scale = whole && high - low <= 4 ? 4.5 : 1;
    for (long i = 0; i < tensor.elementCount(); i++) {
      double value = scale * (low + (high - low) * random.nextDouble());
      put(tensor, i, elementType.lowerName().startsWith("uint") ? Math.abs(value) : value);
    }
    return tensor;
  }

  /**
   * A tensor of the call's type whose values are all different and at least {@code gap} apart, for
   * ops with kinks.
   */
  public Tensor distinct(Shape shape, double gap) {
    return type.isComplex()
        ? ofParts(type, shape, part -> distinct(part, pairs(shape), gap))
        : distinct(type, shape, gap);
  }

  private Tensor distinct(DataType elementType, Shape shape, double gap) {
    Tensor tensor = Tensor.allocate(elementType, shape);
    int count = (int) tensor.elementCount();
    Integer[] order = new Integer[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    java.util.Collections.shuffle(java.util.Arrays.asList(order), random);
    for (int i = 0; i < count; i++) {
      put(tensor, i, (order[i] - count / 2 + 0.5) * gap);
    }
    return tensor;
  }

  /** An int32 or int64 index tensor with values in [low, high). */
  public Tensor indices(DataType indexType, Shape shape, int low, int high) {
    Tensor tensor = Tensor.allocate(indexType, shape);
    for (long i = 0; i < tensor.elementCount(); i++) {
      put(tensor, i, integer(low, high - 1));
    }
    return tensor;
  }

  private static Shape pairs(Shape shape) {
    return shape.concatenate(Shape.of(2));
  }

  /** A complex tensor over real numbers, of which there are two for each element. */
  private static Tensor ofParts(DataType complex, Shape shape, Function<DataType, Tensor> drawn) {
    DataType part = complex == DataType.COMPLEX64 ? DataType.FLOAT : DataType.DOUBLE;
    try (Tensor parts = drawn.apply(part)) {
      return parts.bitcast(complex, shape);
    }
  }

  private static void put(Tensor tensor, long i, double value) {
    if (tensor.type() == DataType.STRING) {
      tensor.objects()[(int) i] =
          Long.toString((long) Math.floor(4.5 * value)).getBytes(StandardCharsets.UTF_8);
      return;
    }
    long address = tensor.storage().address() + i * tensor.type().size();
    switch (tensor.type()) {
      case FLOAT:
        Memory.putFloat(address, (float) value);
        break;
      case DOUBLE:
        Memory.putDouble(address, value);
        break;
      case INT32:
      case UINT32:
      case QINT32:
        Memory.putInt(address, (int) Math.floor(value));
        break;
      case INT64:
      case UINT64:
        Memory.putLong(address, (long) Math.floor(value));
        break;
      case INT16:
      case UINT16:
      case QINT16:
      case QUINT16:
        Memory.putShort(address, (short) Math.floor(value));
        break;
      case INT8:
      case UINT8:
      case QINT8:
      case QUINT8:
        Memory.putByte(address, (byte) Math.floor(value));
        break;
      case BOOL:
        Memory.putBoolean(address, value >= 0);
        break;
      case HALF:
        Memory.putShort(address, HalfFloats.floatToHalf((float) value));
        break;
      case BFLOAT16:
        Memory.putShort(address, (short) (Float.floatToIntBits((float) value) >>> 16));
        break;
      default:
        throw new IllegalArgumentException("no random values of type " + tensor.type());
    }
  }
}
