package dev.tributary.op;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The attributes of a node by name, read with the type the reader expects. Immutable. */
public final class Attributes {
  private static final Attributes EMPTY = new Attributes(Map.of());

  private final Map<String, AttrValue> values;

  private Attributes(Map<String, AttrValue> values) {
    this.values = values;
  }

  public static Attributes empty() {
    return EMPTY;
  }

  public static Attributes of(Map<String, AttrValue> values) {
    return takingOver(new TreeMap<>(values));
  }

  /** Those of a map that nobody changes any more. */
  public static Attributes takingOver(SortedMap<String, AttrValue> values) {
    return new Attributes(Collections.unmodifiableMap(values));
  }

  /** All of them, sorted by name. */
  public Map<String, AttrValue> asMap() {
    return values;
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  public Optional<AttrValue> find(String name) {
    return Optional.ofNullable(values.get(name));
  }

  public DataType type(String name) {
    return value(name, AttrValue.Type.class, "type").value();
  }

  public long integer(String name) {
    return value(name, AttrValue.Int.class, "int").value();
  }

  /** An attribute of type int that must fit 32 bits. */
  public int int32(String name) {
    long value = integer(name);
    if (value != (int) value) {
      throw TributaryException.invalidArgument(
          "attribute '%s' must fit 32 bits, got %d", name, value);
    }
    return (int) value;
  }

  public float real(String name) {
    return value(name, AttrValue.Real.class, "float").value();
  }

  public boolean bool(String name) {
    return value(name, AttrValue.Bool.class, "bool").value();
  }

  public String string(String name) {
    return value(name, AttrValue.Bytes.class, "string").text();
  }

  public Shape shape(String name) {
    return value(name, AttrValue.ShapeValue.class, "shape").value();
  }

  /** A constant, on loan: it lives as long as its graph, also if a caller closes it. */
  public Tensor tensor(String name) {
    return value(name, AttrValue.TensorValue.class, "tensor").value();
  }

  public long[] integers(String name) {
    List<AttrValue> list = list(name);
    long[] result = new long[list.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = element(name, list.get(i), AttrValue.Int.class, "int").value();
    }
    return result;
  }

  public List<DataType> types(String name) {
    List<DataType> result = new ArrayList<>();
    list(name).forEach(e -> result.add(element(name, e, AttrValue.Type.class, "type").value()));
    return result;
  }

  public List<Shape> shapes(String name) {
    List<Shape> result = new ArrayList<>();
    list(name)
        .forEach(e -> result.add(element(name, e, AttrValue.ShapeValue.class, "shape").value()));
    return result;
  }

  public List<String> strings(String name) {
    List<String> result = new ArrayList<>();
    list(name).forEach(e -> result.add(element(name, e, AttrValue.Bytes.class, "string").text()));
    return result;
  }

  public List<AttrValue> list(String name) {
    return value(name, AttrValue.ListValue.class, "list").values();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attributes && values.equals(((Attributes) other).values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }

  private <V extends AttrValue> V value(String name, Class<V> kind, String wanted) {
    AttrValue value = values.get(name);
    if (value == null) {
      throw TributaryException.invalidArgument(
          "no attribute '%s'; there are %s", name, values.keySet());
    }
    return element(name, value, kind, wanted);
  }

  private static <V extends AttrValue> V element(
      String name, AttrValue value, Class<V> kind, String wanted) {
    if (!kind.isInstance(value)) {
      throw TributaryException.invalidArgument(
          "attribute '%s' is a %s, not a %s", name, value.typeName(), wanted);
    }
    return kind.cast(value);
  }
}
