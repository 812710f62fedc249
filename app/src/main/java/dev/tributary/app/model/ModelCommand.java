package dev.tributary.app.model;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands for SavedModels. */
@Command(
    name = "model",
    mixinStandardHelpOptions = true,
    description = "Shows and runs SavedModels of TensorFlow, TF Java and Tributary.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {ModelShowCommand.class, ModelRunCommand.class})
public final class ModelCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "name a command, such as 'tributary model show DIR'");
  }
}
