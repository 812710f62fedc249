package dev.tributary.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Turns a run's output into what people read, with what it was measured on. */
@Command(name = "report", description = "Makes a report of a run's output.")
final class ReportCommand implements Callable<Integer> {
  /** The program that made the output. */
  enum Kind {
    course,
    kernels,
    jmh
  }

  @Mixin private ReportArguments report;

  @Option(names = "--kind", description = "${COMPLETION-CANDIDATES}; course if not given.")
  private Kind kind = Kind.course;

  @Override
  public Integer call() throws IOException {
    report.publish(
        kind.name(),
        switch (kind) {
          case course -> courseTable();
          case kernels -> report.text();
          case jmh -> "```\n" + report.text().strip() + "\n```\n";
        });
    return 0;
  }

  private String courseTable() throws IOException {
    List<ResultLine> lines =
        report.lines(text -> text.filter(ResultLine::isIn).map(ResultLine::parse));
    int fewest = lines.stream().mapToInt(ResultLine::rounds).min().getAsInt();
    ComparisonTable figures = new ComparisonTable(lines);
    return "Medians of %d rounds or more; the ratio is ours to the better one of stock's.%n%n%s%s"
        .formatted(
            fewest, figures.toMarkdown(), new GoalTable(figures, CourseGoal.all()).toMarkdown());
  }
}
