package dev.tributary.bench.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The measurements of a quantity by one process, a number for each round. Immutable; as a line of
 * text it passes from process to process.
 */
record Rounds(Quantity quantity, List<Double> values) {
  Rounds {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException(quantity + " has no rounds");
    }
  }

  /** The middle one, or the mean of the middle two. */
  double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  double least() {
    return values.stream().min(Double::compare).orElseThrow();
  }

  double most() {
    return values.stream().max(Double::compare).orElseThrow();
  }

  String toLine() {
    return quantity
        + values.stream()
            .map(value -> String.format(Locale.ROOT, " %.3f", value))
            .collect(Collectors.joining());
  }

  /** Fails with an {@link IllegalArgumentException} for anything but {@link #toLine}. */
  static Rounds parse(String line) {
    String[] words = line.strip().split(" ");
    try {
      return new Rounds(
          Quantity.valueOf(words[0]), Arrays.stream(words).skip(1).map(Double::valueOf).toList());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not a measurement: '%s', wanted QUANTITY VALUE ..".formatted(line), e);
    }
  }
}
