package dev.tributary.app.launch;

import dev.tributary.cluster.spec.Limits;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Options that limit how much a server accepts from its callers. */
@Command(optionListHeading = "Limits on requests:")
public final class LimitArguments {
  private static final String MESSAGE_BYTES = "--max-message-bytes";
  private static final String GRAPH_NODES = "--max-graph-nodes";
  private static final String GRAPH_BYTES = "--max-graph-bytes";
  private static final String SESSIONS = "--max-sessions";
  private static final String MEMORY_BYTES = "--max-memory-bytes";
  private static final String CONNECTION_CALLS = "--max-connection-calls";

  @Option(
      names = MESSAGE_BYTES,
      paramLabel = "N",
      description = "Largest message that is accepted. 2 GiB by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> messageBytes = Optional.empty();

  @Option(
      names = GRAPH_NODES,
      paramLabel = "N",
      description = "Most nodes that a session's graph may have. 1,000,000 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> graphNodes = Optional.empty();

  @Option(
      names = GRAPH_BYTES,
      paramLabel = "N",
      description = "Most bytes that a session's GraphDef may have. 2 GiB by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> graphBytes = Optional.empty();

  @Option(
      names = SESSIONS,
      paramLabel = "N",
      description = "Most sessions that may be open at once. 1,000 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> sessions = Optional.empty();

  @Option(
      names = MEMORY_BYTES,
      paramLabel = "N",
      description =
          "Most memory for values: variables, queues, tables, constants, computed, fed and received"
              + " tensors, and messages while they come in. By default four fifths of the machine's"
              + " or container's memory, without the Java heap's maximum.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> memoryBytes = Optional.empty();

  @Option(
      names = CONNECTION_CALLS,
      paramLabel = "N",
      description =
          "Most calls that one connection may have under way, and may break off within 10 seconds."
              + " 100,000 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> connectionCalls = Optional.empty();

  public Limits limits() {
    Limits defaults = Limits.defaults();
    return new Limits(
        (int) value(MESSAGE_BYTES, messageBytes, defaults.messageBytes()),
        (int) value(GRAPH_NODES, graphNodes, defaults.graphNodes()),
        value(GRAPH_BYTES, graphBytes, defaults.graphBytes()),
        (int) value(SESSIONS, sessions, defaults.sessions()),
        value(MEMORY_BYTES, memoryBytes, defaults.memoryBytes()),
        (int) value(CONNECTION_CALLS, connectionCalls, defaults.connectionCalls()));
  }

  private static long value(String option, Optional<? extends Number> given, long otherwise) {
    return given
        .map(value -> OptionRange.require(option, value.longValue(), 1, Long.MAX_VALUE))
        .orElse(otherwise);
  }
}
