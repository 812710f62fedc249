package dev.tributary.bench.training;

import dev.tributary.session.ProcessTuning;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * Measures one line of the training library, or reports what the processes that did so have
 * printed. The script {@code bench/training} runs it all.
 */
@Command(
    name = "training",
    description = "Measures what the training library reaches.",
    subcommands = {ReportCommand.class, TaskCommand.class, DigitsCommand.class})
public final class TrainingSuite implements Callable<Integer> {
  private static final double ROUND_SECONDS = 4;
  private static final int MEBIBYTES = 1024;
  private static final double WARM_UP_SECONDS = 8;

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
    return new CommandLine(new TrainingSuite());
  }

  @Command(name = "sync", description = "Synchronous beside asynchronous training.")
  void sync(@Option(names = "--rounds", defaultValue = "5") int rounds) {
    print(new ReplicaComparison(rounds, ROUND_SECONDS).measure());
  }

  @Command(name = "checkpoint", description = "Checkpoints beside the disk.")
  void checkpoint(
      @Option(names = "--rounds", defaultValue = "5") int rounds,
      @Option(names = "--folder", required = true) Path folder) {
    print(new CheckpointRun(rounds, MEBIBYTES, folder, WARM_UP_SECONDS).measure());
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "Which command? sync, checkpoint, digits or report.");
  }

  private void print(List<Rounds> measured) {
    measured.forEach(rounds -> spec.commandLine().getOut().println(rounds.toLine()));
    spec.commandLine().getOut().flush();
  }
}
