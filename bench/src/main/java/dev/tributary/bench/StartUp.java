package dev.tributary.bench;

import java.util.Map;

/** From a graph that is not built yet to the end of its first step, in a cluster that is up. */
record StartUp(Replica replica, VariableKind variables) implements Workload {
  @Override
  public void run(Driver driver, Timing timing) {
    long start = System.nanoTime();
    try (NullGraph graph = new NullGraph(replica, variables, NullGraph.Input.feed)) {
      graph.step();
      double millis = (System.nanoTime() - start) / 1e6;
      Checks.equal("v after a step", graph.value(), 1.5f);
      driver.report(
          new Figure(
              "start-up",
              Map.of("what", "session+init+first-step"),
              "ms",
              Figure.Better.MIN,
              millis));
    }
  }
}
