package dev.tributary.bench;

import dev.tributary.session.ProcessTuning;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * What the peers' driver starts to measure Tributary, and what makes a table of the figures. The
 * script {@code bench/course} runs it all.
 */
@Command(
    name = "course",
    description = "Measures Tributary on the workloads that its peers are measured on.",
    subcommands = {ServerCommand.class, BenchCommand.class, ReportCommand.class})
public final class Course implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this help.")
  private boolean help;

  // Before the command too, where a driver that adds the command can have it.
  @Option(
      names = "--vars",
      defaultValue = "resource",
      scope = ScopeType.INHERIT,
      description = "Kind of variables: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.")
  private VariableKind variables;

  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    ProcessTuning.apply();
    System.exit(commandLine().execute(arguments));
  }

  /** The exit code is 0, 2 for a command line that is wrong, 1 for anything else. */
  static CommandLine commandLine() {
    return new CommandLine(new Course());
  }

  VariableKind variables() {
    return variables;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command? server, bench or report.");
  }
}
