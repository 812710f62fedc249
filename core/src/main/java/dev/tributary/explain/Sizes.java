package dev.tributary.explain;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.Locale;
import java.util.OptionalLong;

/** Sizes of tensors, as far as they are known, and as people read them. */
final class Sizes {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final int STEP = 1024;

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
    double amount = bytes;
    int unit = 0;
    while (amount >= STEP && unit < UNITS.length - 1) {
      amount /= STEP;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", amount, UNITS[unit]);
  }
}
