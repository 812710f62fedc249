package dev.tributary.cluster.spec;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;

/**
 * Limits on the requests of a task's callers. A request beyond one is RESOURCE_EXHAUSTED, and
 * leaves everything as it was.
 *
 * @param messageBytes the longest message that is read
 * @param graphNodes the most nodes in a session's graph, and in a part of one that is registered
 * @param graphBytes the same in bytes of its message
 * @param sessions how many sessions are open at once, at the task's master and at its worker each
 * @param memoryBytes how much the values that the task computes may take at once
 */
public record Limits(
    int messageBytes, int graphNodes, long graphBytes, int sessions, long memoryBytes) {
  public Limits {
    requirePositive("messageBytes", messageBytes);
    requirePositive("graphNodes", graphNodes);
    requirePositive("graphBytes", graphBytes);
    requirePositive("sessions", sessions);
    requirePositive("memoryBytes", memoryBytes);
  }

  /**
   * Messages as long as TensorFlow's (2 GiB), graphs of a million nodes and 2 GiB, a thousand
   * sessions, and all the memory that there is.
   */
  public static Limits defaults() {
    return new Limits(Integer.MAX_VALUE, 1_000_000, 1L << 31, 1_000, Long.MAX_VALUE);
  }

  public Limits withMessageBytes(int most) {
    return new Limits(most, graphNodes, graphBytes, sessions, memoryBytes);
  }

  public Limits withGraphNodes(int most) {
    return new Limits(messageBytes, most, graphBytes, sessions, memoryBytes);
  }

  public Limits withGraphBytes(long most) {
    return new Limits(messageBytes, graphNodes, most, sessions, memoryBytes);
  }

  public Limits withSessions(int most) {
    return new Limits(messageBytes, graphNodes, graphBytes, most, memoryBytes);
  }

  public Limits withMemoryBytes(long most) {
    return new Limits(messageBytes, graphNodes, graphBytes, sessions, most);
  }

  /** Refuses a graph that is too large. */
  public void requireGraph(String what, long nodes, long bytes) {
    if (nodes > graphNodes || bytes > graphBytes) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format(
              "%s has %d nodes in %d bytes; this task takes at most %d nodes in %d bytes (Limits"
                  + " graphNodes and graphBytes; --max-graph-nodes and --max-graph-bytes)",
              what, nodes, bytes, graphNodes, graphBytes));
    }
  }

  /** Refuses a session if there are as many as there may be. */
  public void requireRoomForSession(int open) {
    if (open >= sessions) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format(
              "%d of at most %d sessions are open at this task; close some, or raise"
                  + " Limits.sessions (--max-sessions)",
              open, sessions));
    }
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw TributaryException.invalidArgument("Limits.%s must be 1 or more, got %d", name, value);
    }
  }
}
