package dev.tributary.bench.training;

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

/** Makes a table of what the lines have printed. */
@Command(name = "report", description = "Makes a report of what was measured.")
final class ReportCommand implements Callable<Integer> {
  private static final String SECTION = "training";

  @Parameters(paramLabel = "FILE", description = "What the lines have printed.")
  private Path file;

  @Option(names = "--commit", required = true, description = "What was measured.")
  private String commit;

  @Option(names = "--command", required = true, description = "How it was measured.")
  private String command;

  @Option(
      names = "--write",
      description = "A document whose section '" + SECTION + "' is replaced.")
  private Optional<Path> document;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    String report = new Provenance(commit, command).above(new RoundsTable(rounds()).toMarkdown());
    spec.commandLine().getOut().print(report);
    spec.commandLine().getOut().flush();
    if (document.isPresent()) {
      new ResultsFile(document.get()).write(SECTION, report);
    }
    return 0;
  }

  private List<Rounds> rounds() throws IOException {
    List<Rounds> rounds;
    try (Stream<String> lines = Files.lines(file)) {
      rounds = lines.map(Rounds::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), file + ": " + e.getMessage());
    }
    if (rounds.isEmpty()) {
      throw new ParameterException(spec.commandLine(), file + " holds no measurements");
    }
    return rounds;
  }
}
