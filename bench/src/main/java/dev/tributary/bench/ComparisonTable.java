package dev.tributary.bench;

import dev.tributary.bench.ResultLine.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Medians of all peers side by side, and the ratio of ours to the better one of stock TensorFlow's.
 * Immutable.
 */
final class ComparisonTable {
  static final String OURS = "tributary";
  static final String STOCK = "tensorflow-";

  private final Set<String> peers = new LinkedHashSet<>();
  private final Map<Subject, Map<String, ResultLine>> rows = new LinkedHashMap<>();

  ComparisonTable(List<ResultLine> lines) {
    for (ResultLine line : lines) {
      peers.add(line.peer());
      rows.computeIfAbsent(line.subject(), s -> new LinkedHashMap<>()).put(line.peer(), line);
    }
  }

  String toMarkdown() {
    List<String> head = new ArrayList<>(List.of("workload", "parameters", "unit"));
    head.addAll(peers);
    head.add("ratio");
    StringBuilder out = new StringBuilder(row(head));
    out.append("|---|---|---|").append("--:|".repeat(peers.size() + 1)).append('\n');
    rows.forEach((subject, medians) -> out.append(row(cells(subject, medians))));
    return out.toString();
  }

  private List<String> cells(Subject subject, Map<String, ResultLine> medians) {
    List<String> cells = new ArrayList<>();
    cells.add(subject.workload());
    cells.add(
        subject.parameters().entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(", ")));
    cells.add(subject.unit());
    for (String peer : peers) {
      ResultLine line = medians.get(peer);
      cells.add(line == null ? "-" : number(line.median()));
    }
    OptionalDouble ratio = ratio(subject, medians);
    cells.add(ratio.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f x", ratio.getAsDouble()));
    return cells;
  }

  /** Ours divided by the better one of stock's, whichever direction is better. */
  private static OptionalDouble ratio(Subject subject, Map<String, ResultLine> medians) {
    var stock =
        medians.values().stream()
            .filter(line -> line.peer().startsWith(STOCK))
            .mapToDouble(ResultLine::median);
    OptionalDouble bar = subject.moreIsBetter() ? stock.max() : stock.min();
    ResultLine ours = medians.get(OURS);
    return ours == null || bar.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(ours.median() / bar.getAsDouble());
  }

  /** Four digits that count, which is more than the machine's noise leaves. */
  private static String number(double value) {
    if (value >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    int decimals = value >= 100 ? 1 : value >= 10 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private static String row(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
