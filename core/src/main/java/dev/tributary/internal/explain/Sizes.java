package dev.tributary.internal.explain;

import dev.tributary.internal.memory.ByteText;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.OptionalLong;

/** Sizes of tensors, as far as they are known, and as people read them. */
final class Sizes {
  private Sizes() {}

  static OptionalLong bytes(DataType type, Shape shape) {
    boolean isKnown = shape.isFullyDefined() && !type.isObject();
    return isKnown
        ? OptionalLong.of(Math.multiplyExact(shape.elementCount(), type.size()))
        : OptionalLong.empty();
  }

  static String text(OptionalLong bytes) {
    return bytes.isPresent() ? text(bytes.getAsLong()) : "unknown";
  }

  static String text(long bytes) {
    return ByteText.of(bytes);
  }
}
