package dev.tributary.app;

import dev.tributary.app.digits.DigitsCommand;
import dev.tributary.app.files.CheckpointCommand;
import dev.tributary.app.files.EventsCommand;
import dev.tributary.error.TributaryException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code tributary} command. */
@Command(
    name = "tributary",
    description = "Distributed TensorFlow for the JVM.",
    mixinStandardHelpOptions = true,
    version = "tributary 0.1.0",
    subcommands = {
      DigitsCommand.class,
      ServerCommand.class,
      DevicesCommand.class,
      CertsCommand.class,
      ExplainCommand.class,
      CheckpointCommand.class,
      EventsCommand.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  /** Runs a command line; the exit code is 0, 2 for a wrong command line, 1 for anything else. */
  public static int execute(String... arguments) {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        // '@file' is a value of ours, not a file of arguments.
        .setExpandAtFiles(false)
        .setExecutionExceptionHandler(Main::report)
        .execute(arguments);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command? Try 'tributary digits'.");
  }

  /**
   * What a person can act on gets one line; anything else is our fault and shows where it happened.
   */
  private static int report(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    if (failure instanceof TributaryException) {
      command.getErr().println("tributary: " + failure.getMessage());
    } else {
      failure.printStackTrace(command.getErr());
    }
    return 1;
  }
}
