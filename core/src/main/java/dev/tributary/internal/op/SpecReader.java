package dev.tributary.internal.op;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the one-line specifications in which TensorFlow declares arguments and attributes.
 *
 * <pre>
 *   argument   name: T | name: float | name: N * T | name: Ref(T) | name: Tlist
 *   attribute  name: type | name: {a, b} | name: list(type) >= 1 | ... = default
 * </pre>
 *
 * <p>The default of a tensor has a shorter form than TensorFlow's, {@code uint8[255, 0]}.
 *
 * <p>Which names in an argument are attributes is known only once all attributes are declared, so
 * {@link #argument} takes them.
 */
final class SpecReader {
  private final String text;
  private int at;

  private SpecReader(String text) {
    this.text = text;
  }

  static ArgDef argument(String spec, List<AttrDef> attributes) {
    int colon = spec.indexOf(": ");
    String name = spec.substring(0, colon);
    String type = spec.substring(colon + 2);
    Optional<String> number = Optional.empty();
    int star = type.indexOf(" * ");
    if (star > 0) {
      number = Optional.of(type.substring(0, star));
      type = type.substring(star + 3);
    }
    boolean ref = type.startsWith("Ref(");
    if (ref) {
      type = type.substring(4, type.length() - 1);
    }
    for (AttrDef attribute : attributes) {
      if (attribute.name().equals(type)) {
        Optional<String> attr = Optional.of(type);
        return attribute.isList()
            ? new ArgDef(name, Optional.empty(), Optional.empty(), number, attr, ref)
            : new ArgDef(name, Optional.empty(), attr, number, Optional.empty(), ref);
      }
    }
    return new ArgDef(
        name, Optional.of(DataType.ofName(type)), Optional.empty(), number, Optional.empty(), ref);
  }

  static AttrDef attribute(String spec) {
    SpecReader reader = new SpecReader(spec);
    String name = reader.until(": ");
    List<AttrValue> allowed = new ArrayList<>();
    String type = reader.type(allowed);
    Optional<Long> minimum =
        reader.accept(" >= ") ? Optional.of(Long.parseLong(reader.word())) : Optional.empty();
    Optional<AttrValue> value =
        reader.accept(" = ") ? Optional.of(reader.value(type)) : Optional.empty();
    if (reader.at != spec.length()) {
      throw TributaryException.internal(
          "attribute specification '%s' is not understood from column %d", spec, reader.at);
    }
    return new AttrDef(name, type, value, minimum, allowed);
  }

  private String type(List<AttrValue> allowed) {
    if (accept("list(")) {
      String element = type(allowed);
      expect(")");
      return "list(" + element + ")";
    }
    if (!accept("{")) {
      return word();
    }
    String kind = text.charAt(at) == '\'' ? "string" : "type";
    do {
      allowed.add(value(kind));
    } while (accept(", "));
    expect("}");
    return kind;
  }

  private AttrValue value(String type) {
    if (type.startsWith("list(")) {
      String element = type.substring(5, type.length() - 1);
      List<AttrValue> values = new ArrayList<>();
      expect("[");
      while (!accept("]")) {
        values.add(value(element));
        accept(", ");
      }
      return new AttrValue.ListValue(values);
    }
    switch (type) {
      case "string":
        expect("'");
        String content = until("'");
        return new AttrValue.Bytes(content.getBytes(StandardCharsets.UTF_8));
      case "int":
        return AttrValue.of(Long.parseLong(word()));
      case "float":
        return AttrValue.of(Float.parseFloat(word()));
      case "bool":
        return AttrValue.of(Boolean.parseBoolean(word()));
      case "type":
        return AttrValue.of(DataType.ofName(word()));
      case "shape":
        return AttrValue.of(shape());
      case "tensor":
        return bytes();
      default:
        throw TributaryException.internal(
            "no default can be read for an attribute of type '%s' in '%s'", type, text);
    }
  }

  /**
   * A shape in TensorFlow's text form: {@code { unknown_rank: true }} or {@code { }} or {@code {
   * dim { size: 2 } }}.
   */
  private Shape shape() {
    if (accept("{ unknown_rank: true }")) {
      return Shape.unknown();
    }
    expect("{");
    List<Long> sizes = new ArrayList<>();
    while (accept(" dim { size: ")) {
      sizes.add(Long.parseLong(word()));
      expect(" }");
    }
    expect(" }");
    return Shape.of(sizes.stream().mapToLong(Long::longValue).toArray());
  }

  /** A tensor, of which only vectors of bytes are needed: {@code uint8[255, 0]}. */
  private AttrValue bytes() {
    expect("uint8[");
    ByteArrayOutputStream values = new ByteArrayOutputStream();
    while (!accept("]")) {
      values.write(Integer.parseInt(word()));
      accept(", ");
    }
    return new AttrValue.ByteVector(values.toByteArray());
  }

  private String word() {
    int start = at;
    while (at < text.length() && " ,)]}".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  private String until(String end) {
    int stop = text.indexOf(end, at);
    if (stop < 0) {
      throw TributaryException.internal("specification '%s' lacks '%s'", text, end);
    }
    String part = text.substring(at, stop);
    at = stop + end.length();
    return part;
  }

  private boolean accept(String token) {
    if (!text.startsWith(token, at)) {
      return false;
    }
    at += token.length();
    return true;
  }

  private void expect(String token) {
    if (!accept(token)) {
      throw TributaryException.internal(
          "specification '%s' lacks '%s' at column %d", text, token, at);
    }
  }
}
