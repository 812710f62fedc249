package dev.tributary.internal.explain;

import java.util.ArrayList;
import java.util.List;

/** Writes a report as plain text. */
final class ReportText {
  private ReportText() {}

  static String of(PlacementReport report) {
    List<List<String>> tasks = new ArrayList<>();
    tasks.add(List.of("task", "nodes", "variables", "bytes"));
    List<List<String>> variables = new ArrayList<>();
    variables.add(List.of("variable", "task", "type", "shape", "bytes"));
    for (TaskLoad load : report.tasks()) {
      tasks.add(
          List.of(
              load.task(),
              Integer.toString(load.nodes().size()),
              Integer.toString(load.variables().size()),
              Sizes.text(load.variableBytes())));
      for (PlacedVariable variable : load.variables()) {
        variables.add(
            List.of(
                variable.name(),
                load.task(),
                variable.type().lowerName(),
                variable.shape().toString(),
                Sizes.text(variable.bytes())));
      }
    }
    List<List<String>> crossings = new ArrayList<>();
    crossings.add(List.of("tensor", "from", "to", "type", "shape", "bytes"));
    for (Crossing crossing : report.crossings()) {
      crossings.add(
          List.of(
              crossing.tensor(),
              crossing.from(),
              crossing.to(),
              crossing.type().lowerName(),
              crossing.shape().toString(),
              Sizes.text(crossing.bytes())));
    }
    return String.join("\n", table(tasks), table(variables), table(crossings));
  }

  /** Rows in columns as wide as their widest cell; the first row is the heading. */
  private static String table(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
