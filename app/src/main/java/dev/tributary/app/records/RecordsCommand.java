package dev.tributary.app.records;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands for files of records. */
@Command(
    name = "records",
    mixinStandardHelpOptions = true,
    description = "Makes TFRecord files for training, shows and checks them.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {
      RecordsMakeCommand.class,
      RecordsShowCommand.class,
      RecordsStatsCommand.class,
      RecordsVerifyCommand.class
    })
public final class RecordsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "name a command, such as 'tributary records show FILE'");
  }
}
