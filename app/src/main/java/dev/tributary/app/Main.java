package dev.tributary.app;

import dev.tributary.app.census.CensusCommand;
import dev.tributary.app.digits.DigitsCommand;
import dev.tributary.app.files.CheckpointCommand;
import dev.tributary.app.files.EventsCommand;
import dev.tributary.app.kubernetes.KubernetesCommand;
import dev.tributary.app.launch.RefusedConfiguration;
import dev.tributary.app.model.ModelCommand;
import dev.tributary.app.records.RecordsCommand;
import dev.tributary.app.run.RunCommand;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.ProcessTuning;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code tributary} command. */
@Command(
    name = "tributary",
    description = {
      "Distributed TensorFlow for the JVM.",
      "'tributary COMMAND --help' explains a command and its options."
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    mixinStandardHelpOptions = true,
    version = "tributary 0.1.0",
    subcommands = {
      DigitsCommand.class,
      CensusCommand.class,
      RunCommand.class,
      KubernetesCommand.class,
      ServerCommand.class,
      DevicesCommand.class,
      CertsCommand.class,
      ExplainCommand.class,
      CheckpointCommand.class,
      EventsCommand.class,
      ModelCommand.class,
      RecordsCommand.class,
      CacheCommand.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    ProcessTuning.apply();
    System.exit(execute(arguments));
  }

  /**
   * Runs a command line; the exit code is 0, 2 for a wrong command line, 78 for a configuration
   * that is refused for good, 1 for anything else.
   */
  public static int execute(String... arguments) {
    CommandLine command =
        new CommandLine(new Main())
            .setCaseInsensitiveEnumValuesAllowed(true)
            // '@file' is a value of ours, not a file of arguments.
            .setExpandAtFiles(false)
            .setParameterExceptionHandler((wrong, all) -> misused(wrong.getCommandLine(), wrong))
            .setExecutionExceptionHandler((failure, failed, parsed) -> report(failed, failure));
    HelpPages.applyTo(command);
    Values.applyTo(command);
    return command.execute(arguments);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command, such as 'tributary digits'");
  }

  /** A failure that a person can act on gets one line; any other is a bug and shows its trace. */
  private static int report(CommandLine command, Exception failure) {
    if (failure instanceof RefusedConfiguration refused) {
      command.getErr().println("tributary: " + refused.getMessage());
      return RefusedConfiguration.EXIT_CODE;
    }
    if (!(failure instanceof TributaryException known)) {
      failure.printStackTrace(command.getErr());
      return ExitCode.SOFTWARE;
    }
    if (known.code() == ErrorCode.INVALID_ARGUMENT) {
      return misused(command, known);
    }
    command.getErr().println("tributary: " + known.getMessage());
    return ExitCode.SOFTWARE;
  }

  /** The message comes last, where a terminal shows it, and not above a page of help. */
  private static int misused(CommandLine command, Exception wrong) {
    String name = command.getCommandSpec().qualifiedName();
    String usage = command.getHelp().synopsis(0).strip();
    command.getErr().printf("Usage: %s; '%s --help' explains the options%n", usage, name);
    command.getErr().println("tributary: " + message(command, wrong));
    return ExitCode.USAGE;
  }

  private static String message(CommandLine command, Exception wrong) {
    if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
      return wrong.getMessage();
    }
    String argument = unmatched.getUnmatched().get(0);
    String kind =
        argument.startsWith("-")
            ? "unknown option"
            : command.getSubcommands().isEmpty() ? "unexpected argument" : "unknown command";
    List<String> similar = unmatched.getSuggestions();
    return similar.isEmpty()
        ? kind + " '" + argument + "'"
        : kind + " '" + argument + "'; did you mean " + similar.get(0) + "?";
  }
}
