package dev.tributary.bench.scale;

import dev.tributary.bench.Provenance;
import dev.tributary.bench.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Turns the points of a run into a table and a plot for each growth. */
@Command(name = "report", description = "Makes tables and plots of a run's points.")
final class ReportCommand implements Callable<Integer> {
  private static final String SECTION = "scale";

  @Parameters(paramLabel = "FILE", description = "What tasks and nodes have printed.")
  private Path file;

  @Option(names = "--commit", required = true, description = "What was measured.")
  private String commit;

  @Option(names = "--command", required = true, description = "How it was measured.")
  private String command;

  @Option(names = "--plots", required = true, description = "A folder that gets the plots.")
  private Path plots;

  @Option(
      names = "--write",
      description = "A document beside that folder, whose section '" + SECTION + "' is replaced.")
  private Optional<Path> document;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<Point> points = points();
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
    String report =
        new Provenance(commit, command).above(figures.toString().stripTrailing() + "\n");
    spec.commandLine().getOut().print(report);
    spec.commandLine().getOut().flush();
    if (document.isPresent()) {
      new ResultsFile(document.get()).write(SECTION, report);
    }
    return 0;
  }

  private List<Point> points() throws IOException {
    List<Point> points;
    try (Stream<String> lines = Files.lines(file)) {
      points = lines.map(Point::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), file + ": " + e.getMessage());
    }
    if (points.isEmpty()) {
      throw new ParameterException(spec.commandLine(), file + " holds no points");
    }
    return points;
  }
}
