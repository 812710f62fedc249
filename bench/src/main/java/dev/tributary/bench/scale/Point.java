package dev.tributary.bench.scale;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The measurements of one process at one size. Immutable; as a line of text it passes from process
 * to process.
 *
 * @param values of some of what the growth measures
 */
record Point(Growth growth, int size, Map<Quantity, Double> values) {
  Point {
    values = Collections.unmodifiableMap(new EnumMap<>(values));
  }

  OptionalDouble value(Quantity quantity) {
    Double value = values.get(quantity);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  String toLine() {
    return growth
        + " "
        + size
        + values.entrySet().stream()
            .map(e -> String.format(Locale.ROOT, " %s=%.3f", e.getKey(), e.getValue()))
            .collect(Collectors.joining());
  }

  static Point parse(String line) {
    try {
      String[] words = line.strip().split(" ");
      Map<Quantity, Double> values = new EnumMap<>(Quantity.class);
      for (int i = 2; i < words.length; i++) {
        String[] pair = words[i].split("=", 2);
        values.put(Quantity.valueOf(pair[0]), Double.valueOf(pair[1]));
      }
      return new Point(Growth.valueOf(words[0]), Integer.parseInt(words[1]), values);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "not a point: '%s', wanted GROWTH SIZE QUANTITY=VALUE ..".formatted(line), e);
    }
  }
}
