package dev.tributary.bench;

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

/** Turns a run's output into what people read, with what it was measured on. */
@Command(name = "report", description = "Makes a report of a run's output.")
final class ReportCommand implements Callable<Integer> {
  /** What made the output. */
  enum Kind {
    course,
    jmh
  }

  @Parameters(paramLabel = "FILE", description = "The run's output.")
  private Path file;

  @Option(names = "--kind", description = "${COMPLETION-CANDIDATES}; course if not given.")
  private Kind kind = Kind.course;

  @Option(names = "--commit", required = true, description = "What was measured.")
  private String commit;

  @Option(names = "--command", required = true, description = "How it was measured.")
  private String command;

  @Option(names = "--write", description = "A document whose section of that kind is replaced.")
  private Optional<Path> document;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    String body =
        switch (kind) {
          case course -> courseTable();
          case jmh -> "```\n" + Files.readString(file).strip() + "\n```\n";
        };
    String report = new Provenance(commit, command).above(body);
    spec.commandLine().getOut().print(report);
    spec.commandLine().getOut().flush();
    if (document.isPresent()) {
      new ResultsFile(document.get()).write(kind.name(), report);
    }
    return 0;
  }

  private String courseTable() throws IOException {
    List<ResultLine> lines;
    try (Stream<String> text = Files.lines(file)) {
      lines = text.filter(ResultLine::isIn).map(ResultLine::parse).toList();
    }
    if (lines.isEmpty()) {
      throw new ParameterException(spec.commandLine(), file + " holds no results");
    }
    int fewest = lines.stream().mapToInt(ResultLine::rounds).min().getAsInt();
    return "Medians of %d rounds or more; the ratio is ours to the better one of stock's.%n%n%s"
        .formatted(fewest, new ComparisonTable(lines).toMarkdown());
  }
}
