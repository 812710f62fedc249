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
 * Medians of all peers side by side, and the ratio of each of ours to the better one of stock
 * TensorFlow's. Immutable.
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

  /** The rows of the table. */
  Set<Subject> subjects() {
    return rows.keySet();
  }

  /** The peers that are Tributary, on each path and JDK. */
  List<String> ours() {
    return peers.stream().filter(peer -> peer.startsWith(OURS)).toList();
  }

  String toMarkdown() {
    List<String> head = new ArrayList<>(List.of("workload", "parameters", "unit"));
    head.addAll(peers);
    List<String> ours = ours();
    ours.forEach(peer -> head.add(ours.size() == 1 ? "ratio" : "ratio of " + peer));
    StringBuilder out = new StringBuilder(row(head));
    out.append("|---|---|---|").append("--:|".repeat(peers.size() + ours.size())).append('\n');
    rows.keySet().forEach(subject -> out.append(row(cells(subject))));
    return out.toString();
  }

  private List<String> cells(Subject subject) {
    List<String> cells = new ArrayList<>();
    cells.add(subject.workload());
    cells.add(parameters(subject));
    cells.add(subject.unit());
    for (String peer : peers) {
      ResultLine line = rows.get(subject).get(peer);
      cells.add(line == null ? "-" : number(line.median()));
    }
    for (String peer : ours()) {
      OptionalDouble ratio = ratio(subject, peer);
      cells.add(ratio.isEmpty() ? "-" : ratio(ratio.getAsDouble()));
    }
    return cells;
  }

  static String parameters(Subject subject) {
    return subject.parameters().entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(", "));
  }

  static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f x", value);
  }

  /** One of ours divided by the better one of stock's, whichever direction is better. */
  OptionalDouble ratio(Subject subject, String peer) {
    var stock =
        rows.get(subject).values().stream()
            .filter(line -> line.peer().startsWith(STOCK))
            .mapToDouble(ResultLine::median);
    return divide(rows.get(subject).get(peer), subject.moreIsBetter() ? stock.max() : stock.min());
  }

  /** One of ours divided by another one. */
  OptionalDouble ratioToOurs(Subject subject, String peer, String other) {
    return divide(rows.get(subject).get(peer), figure(subject, other));
  }

  /** One of ours by itself. */
  OptionalDouble figure(Subject subject, String peer) {
    ResultLine line = rows.get(subject).get(peer);
    return line == null ? OptionalDouble.empty() : OptionalDouble.of(line.median());
  }

  private static OptionalDouble divide(ResultLine line, OptionalDouble bar) {
    return line == null || bar.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(line.median() / bar.getAsDouble());
  }

  /** Four digits that count, which is more than the machine's noise leaves. */
  private static String number(double value) {
    if (value >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    int decimals = value >= 100 ? 1 : value >= 10 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  static String row(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
