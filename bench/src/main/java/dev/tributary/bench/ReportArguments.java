package dev.tributary.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Arguments of every report of a run, and its destination. */
public final class ReportArguments {
  @Parameters(paramLabel = "FILE", description = "The run's output.")
  private Path file;

  @Option(names = "--commit", required = true, description = "What was measured.")
  private String commit;

  @Option(names = "--command", required = true, description = "How it was measured.")
  private String command;

  @Option(names = "--write", description = "A document whose section of that kind is replaced.")
  private Optional<Path> document;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** The run's output as it is. */
  String text() throws IOException {
    return Files.readString(file);
  }

  /**
   * The lines of the run's output, at least one.
   *
   * @param parse fails with {@link IllegalArgumentException}
   */
  public <T> List<T> lines(Function<Stream<String>, Stream<T>> parse) throws IOException {
    List<T> parsed;
    try (Stream<String> lines = Files.lines(file)) {
      parsed = parse.apply(lines).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), file + ": " + e.getMessage());
    }
    if (parsed.isEmpty()) {
      throw new ParameterException(spec.commandLine(), file + " holds no results");
    }
    return parsed;
  }

  /** Prints figures with what they were measured on, and puts them into the document. */
  public void publish(String section, String figures) throws IOException {
    String report = new Provenance(commit, command).above(figures);
    spec.commandLine().getOut().print(report);
    spec.commandLine().getOut().flush();
    if (document.isPresent()) {
      new ResultsFile(document.get()).write(section, report);
    }
  }
}
