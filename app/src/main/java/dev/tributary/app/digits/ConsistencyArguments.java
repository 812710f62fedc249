package dev.tributary.app.digits;

import dev.tributary.error.TributaryException;
import dev.tributary.train.replica.Consistency;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Command-line options for the consistency of workers. */
@Command(optionListHeading = "Consistency of workers:")
final class ConsistencyArguments {
  @Option(
      names = "--consistency",
      paramLabel = "KIND",
      description = {
        "How far workers may drift apart; async by default.",
        "sync: all workers make each step together;",
        "sync+backup(K): without the K slowest workers;",
        "ssp(N): at most N steps ahead of the slowest;",
        "async: each worker makes steps of its own.",
        "A worker that dies holds up the others for at most 10 s."
      },
      showDefaultValue = Visibility.NEVER)
  private Optional<String> words = Optional.empty();

  @Option(names = "--sync", description = "Short for --consistency sync.")
  private boolean sync;

  @Option(
      names = "--issync",
      paramLabel = "0|1",
      defaultValue = "0",
      description = "1 is short for --consistency sync; 0 changes nothing.")
  private int issync;

  Consistency toConsistency() {
    if (issync != 0 && issync != 1) {
      throw TributaryException.invalidArgument("--issync must be 0 or 1, got %d", issync);
    }
    boolean shorthand = sync || issync == 1;
    Consistency wanted =
        words
            .map(ConsistencyArguments::parse)
            .orElse(shorthand ? Consistency.sync() : Consistency.async());
    if (shorthand && !(wanted instanceof Consistency.Sync)) {
      throw TributaryException.invalidArgument(
          "%s says that workers step together, --consistency %s that they do not",
          sync ? "--sync" : "--issync 1", wanted);
    }
    return wanted;
  }

  private static Consistency parse(String words) {
    try {
      return Consistency.parse(words);
    } catch (TributaryException e) {
      throw e.at("--consistency");
    }
  }
}
