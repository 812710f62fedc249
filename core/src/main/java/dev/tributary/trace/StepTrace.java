package dev.tributary.trace;

import java.util.List;

/** The run times of the nodes of a step, in nanoseconds since 1970. */
public record StepTrace(List<NodeTrace> nodes) {
  /**
   * One run of one node; a node in a loop has one for each iteration.
   *
   * @param readyNanos when it had all its inputs; it may then have waited for a thread
   * @param outputBytes the size of all its outputs
   */
  public record NodeTrace(
      String name,
      String op,
      String device,
      long readyNanos,
      long startNanos,
      long endNanos,
      String thread,
      long outputBytes) {}

  public StepTrace {
    nodes = List.copyOf(nodes);
  }
}
