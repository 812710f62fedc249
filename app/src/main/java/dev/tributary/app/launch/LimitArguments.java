package dev.tributary.app.launch;

import dev.tributary.cluster.spec.Limits;
import java.util.Optional;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** How a command line tells how much a server takes from its callers. */
public final class LimitArguments {
  @Option(
      names = "--max-message-bytes",
      paramLabel = "N",
      description = "The longest message; 2 GiB by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> messageBytes = Optional.empty();

  @Option(
      names = "--max-graph-nodes",
      paramLabel = "N",
      description = "The most nodes of a session's graph; a million by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> graphNodes = Optional.empty();

  @Option(
      names = "--max-graph-bytes",
      paramLabel = "N",
      description = "The same in bytes; 2 GiB by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> graphBytes = Optional.empty();

  @Option(
      names = "--max-sessions",
      paramLabel = "N",
      description = "How many sessions may be open at once; 1,000 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> sessions = Optional.empty();

  @Option(
      names = "--max-memory-bytes",
      paramLabel = "N",
      description = "How much memory computed values may take; by default all that there is.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> memoryBytes = Optional.empty();

  public Limits limits() {
    Limits defaults = Limits.defaults();
    return new Limits(
        messageBytes.orElse(defaults.messageBytes()),
        graphNodes.orElse(defaults.graphNodes()),
        graphBytes.orElse(defaults.graphBytes()),
        sessions.orElse(defaults.sessions()),
        memoryBytes.orElse(defaults.memoryBytes()));
  }
}
