package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.Locale;

/**
 * TensorFlow's element types, with the numbers they have in its messages. All are known by name,
 * since op signatures list them; {@link #isSupported} tells which ones a tensor here can hold.
 */
public enum DataType {
  FLOAT(1, 4),
  DOUBLE(2, 8),
  INT32(3, 4),
  UINT8(4, 1),
  INT16(5, 2),
  INT8(6, 1),
  STRING(7, 0),
  COMPLEX64(8, 8),
  INT64(9, 8),
  BOOL(10, 1),
  QINT8(11, 1),
  QUINT8(12, 1),
  QINT32(13, 4),
  BFLOAT16(14, 2),
  QINT16(15, 2),
  QUINT16(16, 2),
  UINT16(17, 2),
  COMPLEX128(18, 16),
  HALF(19, 2),
  RESOURCE(20, 0),
  VARIANT(21, 0),
  UINT32(22, 4),
  UINT64(23, 8),
  FLOAT8_E5M2(24, 1),
  FLOAT8_E4M3FN(25, 1),
  INT4(29, 1),
  UINT4(30, 1);

  private static final DataType[] BY_NUMBER = new DataType[32];

  static {
    for (DataType type : values()) {
      BY_NUMBER[type.number] = type;
    }
  }

  private final int number;
  private final int size;

  DataType(int number, int size) {
    this.number = number;
    this.size = size;
  }

  /**
   * The type with this number in TensorFlow's messages; reference types (number + 100) give their
   * base.
   */
  public static DataType ofNumber(int number) {
    int base = number > 100 ? number - 100 : number;
    DataType type = base > 0 && base < BY_NUMBER.length ? BY_NUMBER[base] : null;
    if (type == null) {
      throw TributaryException.invalidArgument("no element type has the number %d", number);
    }
    return type;
  }

  /** The type with TensorFlow's lower-case name, such as {@code float} or {@code int64}. */
  public static DataType ofName(String name) {
    for (DataType type : values()) {
      if (type.lowerName().equals(name)) {
        return type;
      }
    }
    throw TributaryException.invalidArgument(
        "no element type is called '%s'; there are %s", name, List.of(values()));
  }

  public int number() {
    return number;
  }

  /** Bytes an element takes; 0 for strings, resources and variants, whose elements are objects. */
  public int size() {
    return size;
  }

  public String lowerName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether elements are Java objects rather than bytes in native memory. */
  public boolean isObject() {
    return size == 0;
  }

  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE || this == HALF || this == BFLOAT16;
  }

  public boolean isInteger() {
    return this == INT32 || this == INT64 || this == UINT8 || this == INT8 || this == INT16;
  }

  /** Returns whether elements are pairs of a real and an imaginary part. */
  public boolean isComplex() {
    return this == COMPLEX64 || this == COMPLEX128;
  }

  /** The type of the parts of a complex type; another type is its own. */
  public DataType realType() {
    return switch (this) {
      case COMPLEX64 -> FLOAT;
      case COMPLEX128 -> DOUBLE;
      default -> this;
    };
  }

  /** Returns whether elements are numbers of steps between two values, known to the program. */
  public boolean isQuantized() {
    return this == QINT8 || this == QUINT8 || this == QINT16 || this == QUINT16 || this == QINT32;
  }

  /** Returns whether tensors of this type can be stored here. */
  public boolean isSupported() {
    boolean unsigned = this == UINT16 || this == UINT32 || this == UINT64;
    return isFloating()
        || isComplex()
        || isInteger()
        || isObject()
        || this == BOOL
        || unsigned
        || isQuantized();
  }
}
