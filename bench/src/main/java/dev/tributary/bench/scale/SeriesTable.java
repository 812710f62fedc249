package dev.tributary.bench.scale;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A series for readers: a row for each size, a column for each quantity. Immutable. */
record SeriesTable(Series series) {
  String toMarkdown() {
    Growth growth = series.growth();
    StringBuilder out = new StringBuilder();
    out.append(row(growth.word(), growth.quantities().stream().map(SeriesTable::heading)));
    out.append("|--:|").append("--:|".repeat(growth.quantities().size())).append('\n');
    for (Point point : series.points()) {
      out.append(
          row(
              String.format(Locale.ROOT, "%,d", point.size()),
              growth.quantities().stream().map(q -> number(series.value(point, q)))));
    }
    return out.toString();
  }

  private static String heading(Quantity quantity) {
    return quantity.title() + (quantity.unit().isEmpty() ? "" : " (" + quantity.unit() + ")");
  }

  /** Three digits that count, which is what the machine's noise leaves. */
  private static String number(OptionalDouble value) {
    if (value.isEmpty()) {
      return "-";
    }
    double number = value.getAsDouble();
    int decimals = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + decimals + "f", number);
  }

  private static String row(String first, Stream<String> others) {
    return Stream.concat(Stream.of(first), others).collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
