package dev.tributary.bench.training;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Measurements for readers: a row for each quantity, with its goal. Immutable. */
record RoundsTable(List<Rounds> rows) {
  RoundsTable {
    rows = rows.stream().sorted(Comparator.comparing(Rounds::quantity)).toList();
  }

  String toMarkdown() {
    StringBuilder out = new StringBuilder("| line | unit | median | range | rounds | goal | |\n");
    out.append("|---|---|--:|--:|--:|---|---|\n");
    for (Rounds row : rows) {
      Quantity quantity = row.quantity();
      String goal = quantity.goal().map(Goal::words).orElse("");
      String reached =
          quantity.goal().map(g -> g.isReachedBy(row.median()) ? "reached" : "missed").orElse("");
      out.append(
          "| %s | %s | %s | %s to %s | %d | %s | %s |\n"
              .formatted(
                  quantity.title(),
                  quantity.unit(),
                  number(row.median()),
                  number(row.least()),
                  number(row.most()),
                  row.values().size(),
                  goal,
                  reached));
    }
    return out.toString();
  }

  private static String number(double value) {
    int decimals = Math.abs(value) >= 1000 ? 0 : 2;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
