package dev.tributary.app.digits;

import dev.tributary.error.TributaryException;
import dev.tributary.train.consistency.Consistency;
import java.util.Optional;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** How the workers of a training keep together, in three ways to say it. */
final class ConsistencyArguments {
  @Option(
      names = "--consistency",
      paramLabel = "KIND",
      description =
          "How workers keep together: sync, all make each step together; sync+backup(K), without"
              + " waiting for the K slowest; ssp(N), each makes its own, at most N ahead of the"
              + " slowest; async, each makes its own. async by default. Workers that die are waited"
              + " for 10 s at most.",
      showDefaultValue = Visibility.NEVER)
  private Optional<String> words = Optional.empty();

  @Option(names = "--sync", description = "The same as --consistency sync.")
  private boolean sync;

  @Option(
      names = "--issync",
      paramLabel = "0|1",
      defaultValue = "0",
      description = "The same as a number: 1 is --consistency sync, 0 leaves the choice.")
  private int issync;

  Consistency toConsistency() {
    if (issync != 0 && issync != 1) {
      throw TributaryException.invalidArgument("--issync must be 0 or 1, got %d", issync);
    }
    boolean shorthand = sync || issync == 1;
    Consistency wanted =
        words.map(Consistency::parse).orElse(shorthand ? Consistency.sync() : Consistency.async());
    if (shorthand && !(wanted instanceof Consistency.Sync)) {
      throw TributaryException.invalidArgument(
          "%s says that workers step together, --consistency %s that they do not",
          sync ? "--sync" : "--issync 1", wanted);
    }
    return wanted;
  }
}
