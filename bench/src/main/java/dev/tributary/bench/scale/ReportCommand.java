package dev.tributary.bench.scale;

import dev.tributary.bench.ReportArguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Turns the points of a run into a table and a plot for each growth. */
@Command(name = "report", description = "Makes tables and plots of a run's points.")
final class ReportCommand implements Callable<Integer> {
  @Mixin private ReportArguments report;

  @Option(
      names = "--plots",
      required = true,
      description = "A folder beside the document that gets the plots.")
  private Path plots;

  @Override
  public Integer call() throws IOException {
    List<Point> points = report.lines(lines -> lines.map(Point::parse));
    Files.createDirectories(plots);
    StringBuilder figures = new StringBuilder();
    for (Growth growth : Growth.values()) {
      Series series = new Series(growth, points);
      if (series.isEmpty()) {
        continue;
      }
      Path plot = plots.resolve(growth.word() + ".png");
      new Plot(series).write(plot);
      figures
          .append(new SeriesTable(series).toMarkdown())
          .append(
              "\n![%s](%s/%s)\n\n"
                  .formatted(growth.word(), plots.getFileName(), plot.getFileName()));
    }
    report.publish("scale", figures.toString().stripTrailing() + "\n");
    return 0;
  }
}
