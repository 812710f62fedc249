package dev.tributary.app.model;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tensors made from elements that are written as text, or that have another type. */
final class Elements {
  private Elements() {}

  /** A tensor of elements as files have them: the bytes of strings, the text of numbers. */
  static Tensor parse(DataType type, Shape shape, List<byte[]> elements) {
    if (type == DataType.STRING) {
      return Tensor.ofObjects(type, shape, elements.toArray());
    }
    if (type == DataType.BOOL) {
      boolean[] values = new boolean[elements.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = truth(text(elements, i));
      }
      return Tensor.of(shape, values);
    }
    return type.isInteger() ? integers(type, shape, elements) : reals(type, shape, elements);
  }

  private static Tensor integers(DataType type, Shape shape, List<byte[]> elements) {
    long[] values = new long[elements.size()];
    for (int i = 0; i < values.length; i++) {
      try {
        values[i] = Long.parseLong(text(elements, i));
      } catch (NumberFormatException e) {
        throw unreadable(type, elements, i);
      }
    }
    try (Tensor wide = Tensor.of(shape, values)) {
      Tensor made = cast(wide, type);
      try {
        requireSame(wide, made);
        return made;
      } catch (TributaryException e) {
        made.close();
        throw e;
      }
    }
  }

  /** An int8 cannot hold 300. */
  private static void requireSame(Tensor wanted, Tensor made) {
    try (Tensor back = cast(made, DataType.INT64)) {
      for (int i = 0; i < wanted.elementCount(); i++) {
        if (back.getLong(i) != wanted.getLong(i)) {
          throw TributaryException.invalidArgument(
              "%d does not fit into the type %s", wanted.getLong(i), made.type().lowerName());
        }
      }
    }
  }

  private static Tensor reals(DataType type, Shape shape, List<byte[]> elements) {
    double[] values = new double[elements.size()];
    for (int i = 0; i < values.length; i++) {
      try {
        values[i] = Double.parseDouble(text(elements, i));
      } catch (NumberFormatException e) {
        throw unreadable(type, elements, i);
      }
    }
    try (Tensor wide = Tensor.of(shape, values)) {
      return cast(wide, type);
    }
  }

  /** The same elements with another type, for the caller to close. */
  static Tensor cast(Tensor tensor, DataType type) {
    if (tensor.type() == type) {
      return tensor.retain();
    }
    if (!type.isSupported() || type.isObject() || tensor.type().isObject()) {
      throw TributaryException.invalidArgument(
          "%s cannot be converted to %s", tensor.type().lowerName(), type.lowerName());
    }
    Tensor made = Tensor.allocate(type, tensor.shape());
    CastLoop.run(
        tensor.type(),
        tensor.storage().address(),
        type,
        made.storage().address(),
        tensor.elementCount());
    return made;
  }

  private static boolean truth(String text) {
    return switch (text) {
      case "true", "True", "1" -> true;
      case "false", "False", "0" -> false;
      default ->
          throw TributaryException.invalidArgument("'%s' is not a bool: true or false", text);
    };
  }

  private static String text(List<byte[]> elements, int i) {
    return new String(elements.get(i), StandardCharsets.UTF_8).strip();
  }

  private static TributaryException unreadable(DataType type, List<byte[]> elements, int i) {
    return TributaryException.invalidArgument(
        "element %d is '%s', wanted a number of type %s", i, text(elements, i), type.lowerName());
  }
}
