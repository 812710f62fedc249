package dev.tributary.bench.scale;

import dev.tributary.bench.Timing;
import dev.tributary.session.ProcessTuning;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * Measures one size, or reports what the processes that did so have printed. The script {@code
 * bench/scale} runs it all.
 */
@Command(
    name = "scale",
    description = "Measures how Tributary grows.",
    subcommands = ReportCommand.class)
public final class Scale implements Callable<Integer> {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this help.")
  private boolean help;

  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    ProcessTuning.apply();
    System.exit(commandLine().execute(arguments));
  }

  /** The exit code is 0, 2 for a command line that is wrong, 1 for anything else. */
  static CommandLine commandLine() {
    return new CommandLine(new Scale());
  }

  @Command(name = "tasks", description = "Measures a cluster of so many tasks.")
  void tasks(@Parameters(paramLabel = "COUNT") int count) {
    if (count < 1) {
      throw wrong("a cluster has one task or more, got " + count);
    }
    print(new TaskGrowth(count, Timing.COURSE).measure());
  }

  @Command(name = "nodes", description = "Measures graphs of so many nodes.")
  void nodes(@Parameters(paramLabel = "COUNT") int count) {
    print(growth(count).measure());
  }

  @Override
  public Integer call() {
    throw wrong("Which command? tasks, nodes or report.");
  }

  private NodeGrowth growth(int nodes) {
    try {
      return new NodeGrowth(nodes, Timing.COURSE);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private void print(Point point) {
    spec.commandLine().getOut().println(point.toLine());
    spec.commandLine().getOut().flush();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
