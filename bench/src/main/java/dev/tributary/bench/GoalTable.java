package dev.tributary.bench;

import dev.tributary.bench.ResultLine.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The goals that a run of the course has figures for, and whether each is met. Immutable. */
final class GoalTable {
  private record Row(String system, Subject subject, CourseGoal goal, double ratio) {
    boolean isMet() {
      return goal.isReachedBy(ratio);
    }
  }

  private final List<Row> rows = new ArrayList<>();

  GoalTable(ComparisonTable figures, List<CourseGoal> goals) {
    for (CourseGoal goal : goals) {
      for (String system : figures.ours()) {
        if (isFor(goal, system)) {
          figures.subjects().stream()
              .filter(goal::isFor)
              .forEach(subject -> add(figures, goal, system, subject));
        }
      }
    }
  }

  private void add(ComparisonTable figures, CourseGoal goal, String system, Subject subject) {
    OptionalDouble ratio =
        goal.byItself() ? figures.figure(subject, system) : ratio(figures, goal, system, subject);
    ratio.ifPresent(value -> rows.add(new Row(system, subject, goal, value)));
  }

  private static OptionalDouble ratio(
      ComparisonTable figures, CourseGoal goal, String system, Subject subject) {
    return goal.reference()
        .map(other -> figures.ratioToOurs(subject, system, peer(other, system)))
        .orElseGet(() -> figures.ratio(subject, system));
  }

  /** Goals of a path hold on every JDK. */
  private static boolean isFor(CourseGoal goal, String system) {
    String path = withoutJdk(system);
    return path.equals(peer(goal.system(), "")) || system.equals(peer(goal.system(), ""));
  }

  /** The name of a path's system on the same JDK as another system. */
  private static String peer(String path, String onJdkOf) {
    String jdk = onJdkOf.substring(withoutJdk(onJdkOf).length());
    return ComparisonTable.OURS + (path.equals("local") ? "" : "-" + path) + jdk;
  }

  private static String withoutJdk(String system) {
    return system.replaceFirst("-jdk[0-9]+$", "");
  }

  /** Returns a line that counts the goals met, and the table; nothing if there are no goals. */
  String toMarkdown() {
    if (rows.isEmpty()) {
      return "";
    }
    StringBuilder out =
        new StringBuilder(
            "%n%d of %d goals met.%n%n"
                .formatted(rows.stream().filter(Row::isMet).count(), rows.size()));
    out.append("| system | workload | parameters | unit | ratio | goal | |\n");
    out.append("|---|---|---|---|--:|---|---|\n");
    for (Row row : rows) {
      out.append(
          ComparisonTable.row(
              List.of(
                  row.system,
                  row.subject.workload(),
                  ComparisonTable.parameters(row.subject),
                  row.subject.unit(),
                  row.goal.byItself()
                      ? String.format(Locale.ROOT, "%.2f", row.ratio)
                      : ComparisonTable.ratio(row.ratio),
                  row.goal.words(),
                  row.isMet() ? "met" : "**missed**")));
    }
    return out.toString();
  }
}
