package dev.tributary.op;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The value of an op's attribute: one case for each kind that TensorFlow's {@code AttrValue}
 * message has. Immutable. The cases that every graph has are compared as records are, but by code
 * that is there: what a record brings is made by its first call, and slow until it is compiled.
 */
public sealed interface AttrValue {
  /** TensorFlow's name of the value's type, such as {@code int} or {@code list(type)}. */
  String typeName();

  record Bytes(byte[] value) implements AttrValue {
    public String text() {
      return new String(value, StandardCharsets.UTF_8);
    }

    @Override
    public String typeName() {
      return "string";
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes && Arrays.equals(value, ((Bytes) other).value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return "\"" + text() + "\"";
    }
  }

  record Int(long value) implements AttrValue {
    @Override
    public boolean equals(Object other) {
      return other instanceof Int that && value == that.value;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(value);
    }

    @Override
    public String typeName() {
      return "int";
    }

    @Override
    public String toString() {
      return Long.toString(value);
    }
  }

  record Real(float value) implements AttrValue {
    @Override
    public String typeName() {
      return "float";
    }

    @Override
    public String toString() {
      return Float.toString(value);
    }
  }

  record Bool(boolean value) implements AttrValue {
    @Override
    public boolean equals(Object other) {
      return other instanceof Bool that && value == that.value;
    }

    @Override
    public int hashCode() {
      return Boolean.hashCode(value);
    }

    @Override
    public String typeName() {
      return "bool";
    }

    @Override
    public String toString() {
      return Boolean.toString(value);
    }
  }

  /** An element type, or a reference to one ({@code float_ref}). */
  record Type(DataType value, boolean isRef) implements AttrValue {
    /** One for each, as most nodes have them. */
    private static final Type[] PLAIN = plain();

    private static Type[] plain() {
      Type[] types = new Type[DataType.values().length];
      for (DataType type : DataType.values()) {
        types[type.ordinal()] = new Type(type, false);
      }
      return types;
    }

    public static Type of(DataType value) {
      return PLAIN[value.ordinal()];
    }

    @Override
    public String typeName() {
      return "type";
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Type that && value == that.value && isRef == that.isRef;
    }

    @Override
    public int hashCode() {
      return 2 * value.hashCode() + (isRef ? 1 : 0);
    }

    @Override
    public String toString() {
      return value.lowerName() + (isRef ? "_ref" : "");
    }
  }

  record ShapeValue(Shape value) implements AttrValue {
    @Override
    public boolean equals(Object other) {
      return other instanceof ShapeValue that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
      return value.hashCode();
    }

    @Override
    public String typeName() {
      return "shape";
    }

    @Override
    public String toString() {
      return value.toString();
    }
  }

  /**
   * A constant. The tensor stays with whoever made the value; a graph that takes in an operation
   * with this attribute keeps a reference of its own.
   */
  record TensorValue(Tensor value) implements AttrValue {
    @Override
    public String typeName() {
      return "tensor";
    }

    @Override
    public String toString() {
      return value.toString();
    }
  }

  /**
   * A vector of uint8 as a signature has it for default. It holds no tensor: signatures live for
   * ever, and each node that takes the default gets a tensor of its own.
   */
  record ByteVector(byte[] value) implements AttrValue {
    public Tensor toTensor() {
      return Tensor.of(DataType.UINT8, Shape.of(value.length), value);
    }

    @Override
    public String typeName() {
      return "tensor";
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ByteVector && Arrays.equals(value, ((ByteVector) other).value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return Arrays.toString(value);
    }
  }

  /** The name of a function and the attributes it is called with. */
  record Function(String name, Map<String, AttrValue> attributes) implements AttrValue {
    public Function {
      attributes = Map.copyOf(attributes);
    }

    @Override
    public String typeName() {
      return "func";
    }
  }

  /** The name of an attribute of the function in whose body the node stands. */
  record Placeholder(String name) implements AttrValue {
    @Override
    public String typeName() {
      return "placeholder";
    }
  }

  record ListValue(List<AttrValue> values) implements AttrValue {
    @Override
    public boolean equals(Object other) {
      return other instanceof ListValue that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
      return values.hashCode();
    }

    public ListValue {
      values = List.copyOf(values);
    }

    /** The type of the list; {@code list(?)} for an empty one, which fits any. */
    @Override
    public String typeName() {
      return "list(" + (values.isEmpty() ? "?" : values.get(0).typeName()) + ")";
    }

    @Override
    public String toString() {
      return values.toString();
    }
  }

  static AttrValue of(String value) {
    return new Bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  static AttrValue of(long value) {
    return new Int(value);
  }

  static AttrValue of(float value) {
    return new Real(value);
  }

  static AttrValue of(boolean value) {
    return new Bool(value);
  }

  static AttrValue of(DataType value) {
    return Type.of(value);
  }

  static AttrValue of(Shape value) {
    return new ShapeValue(value);
  }

  static AttrValue of(Tensor value) {
    return new TensorValue(value);
  }

  static AttrValue ofInts(long... values) {
    List<AttrValue> list = new ArrayList<>(values.length);
    for (long value : values) {
      list.add(new Int(value));
    }
    return new ListValue(list);
  }

  static AttrValue ofTypes(List<DataType> values) {
    List<AttrValue> list = new ArrayList<>(values.size());
    values.forEach(type -> list.add(Type.of(type)));
    return new ListValue(list);
  }

  static AttrValue ofShapes(List<Shape> values) {
    List<AttrValue> list = new ArrayList<>(values.size());
    values.forEach(shape -> list.add(new ShapeValue(shape)));
    return new ListValue(list);
  }

  static AttrValue ofStrings(List<String> values) {
    List<AttrValue> list = new ArrayList<>(values.size());
    values.forEach(text -> list.add(of(text)));
    return new ListValue(list);
  }

  /** The value for one of the Java types that an attribute may be given in. */
  static AttrValue ofObject(Object value) {
    if (value instanceof AttrValue) {
      return (AttrValue) value;
    } else if (value instanceof String) {
      return of((String) value);
    } else if (value instanceof Integer || value instanceof Long) {
      return of(((Number) value).longValue());
    } else if (value instanceof Float || value instanceof Double) {
      return of(((Number) value).floatValue());
    } else if (value instanceof Boolean) {
      return of((boolean) value);
    } else if (value instanceof DataType) {
      return of((DataType) value);
    } else if (value instanceof Shape) {
      return of((Shape) value);
    } else if (value instanceof Tensor) {
      return of((Tensor) value);
    } else if (value instanceof long[]) {
      return ofInts((long[]) value);
    } else if (value instanceof List) {
      List<AttrValue> list = new ArrayList<>();
      ((List<?>) value).forEach(element -> list.add(ofObject(element)));
      return new ListValue(list);
    }
    throw TributaryException.invalidArgument(
        "a %s cannot be an attribute", value.getClass().getName());
  }
}
