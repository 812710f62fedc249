package dev.tributary.cluster.spec;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.MachineMemory;
import java.util.function.Supplier;

/**
 * Limits on the requests of a task's callers. A request beyond one is RESOURCE_EXHAUSTED, and
 * leaves everything as it was.
 *
 * @param messageBytes the longest message that is read
 * @param graphNodes the most nodes in a session's graph, and in a part of one that is registered;
 *     what calls of functions stand for may be as many again
 * @param graphBytes the same in bytes of its message
 * @param sessions how many sessions are open at once, at the task's master and at its worker each
 * @param memoryBytes how much memory the task may use at once for values: computed, fed, received
 *     or pushed ones, variables, queues, tables, accumulators, constants, and messages while they
 *     come in
 * @param connectionCalls how many calls one connection may have under way at once; further ones
 *     wait at the caller. A step needs as many as it has tensors on their way between two tasks
 */
public record Limits(
    int messageBytes,
    int graphNodes,
    long graphBytes,
    int sessions,
    long memoryBytes,
    int connectionCalls) {
  public Limits {
    requirePositive("messageBytes", messageBytes);
    requirePositive("graphNodes", graphNodes);
    requirePositive("graphBytes", graphBytes);
    requirePositive("sessions", sessions);
    requirePositive("memoryBytes", memoryBytes);
    requirePositive("connectionCalls", connectionCalls);
  }

  /**
   * Messages as long as TensorFlow's (2 GiB), graphs of a million nodes and 2 GiB, a thousand
   * sessions, four fifths of the machine's or container's memory, without the Java heap's maximum,
   * and 100,000 calls on a connection.
   */
  public static Limits defaults() {
    return new Limits(
        Integer.MAX_VALUE, 1_000_000, 1L << 31, 1_000, MachineMemory.defaultLimit(), 100_000);
  }

  public Limits withMessageBytes(int most) {
    return new Limits(most, graphNodes, graphBytes, sessions, memoryBytes, connectionCalls);
  }

  public Limits withGraphNodes(int most) {
    return new Limits(messageBytes, most, graphBytes, sessions, memoryBytes, connectionCalls);
  }

  public Limits withGraphBytes(long most) {
    return new Limits(messageBytes, graphNodes, most, sessions, memoryBytes, connectionCalls);
  }

  public Limits withSessions(int most) {
    return new Limits(messageBytes, graphNodes, graphBytes, most, memoryBytes, connectionCalls);
  }

  public Limits withMemoryBytes(long most) {
    return new Limits(messageBytes, graphNodes, graphBytes, sessions, most, connectionCalls);
  }

  public Limits withConnectionCalls(int most) {
    return new Limits(messageBytes, graphNodes, graphBytes, sessions, memoryBytes, most);
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

  /**
   * Refuses a session if there are as many as there may be.
   *
   * @param open how many there are
   * @param described names those that an operator looks for first
   */
  public void requireRoomForSession(int open, Supplier<String> described) {
    if (open >= sessions) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format(
              "%d of at most %d sessions are open at this task; close some, or raise"
                  + " Limits.sessions (--max-sessions). Among them: %s",
              open, sessions, described.get()));
    }
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw TributaryException.invalidArgument("Limits.%s must be 1 or more, got %d", name, value);
    }
  }
}
