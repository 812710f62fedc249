package dev.tributary.bench.training;

import dev.tributary.bench.ReportArguments;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes a table of what the lines have printed. */
@Command(name = "report", description = "Makes a report of what was measured.")
final class ReportCommand implements Callable<Integer> {
  @Mixin private ReportArguments report;

  @Override
  public Integer call() throws IOException {
    report.publish(
        "training", new RoundsTable(report.lines(lines -> lines.map(Rounds::parse))).toMarkdown());
    return 0;
  }
}
