package dev.tributary.examples;

import dev.tributary.error.TributaryException;
import dev.tributary.examples.digits.DigitsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code tributary} command: one subcommand for each program. */
@Command(
    name = "tributary",
    description = "TensorFlow graphs on the JVM: programs that show them at work.",
    mixinStandardHelpOptions = true,
    version = "tributary 0.1.0",
    subcommands = {DigitsCommand.class, HelpCommand.class})
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  /** Runs a command line; the exit code is 0, 2 for a wrong command line, 1 for anything else. */
  public static int execute(String... arguments) {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Main::report)
        .execute(arguments);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which program? Try 'tributary digits'.");
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
