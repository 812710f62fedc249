package dev.tributary.bench;

import dev.tributary.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Milliseconds from a built graph of many nodes to the end of its first step, and of later steps.
 *
 * @param graphs how many are measured, each a little different and in its own session
 */
record LargeGraph(Replica replica, Lanes.Size size, int graphs) implements Workload {
  private static final float X = 0.5f;

  static LargeGraph course(Replica replica) {
    return new LargeGraph(replica, new Lanes.Size(20, 10, 100), 5);
  }

  @Override
  public void run(Driver driver, Timing timing) {
    double[] first = new double[graphs];
    double[] later = new double[graphs];
    try (Tensor x = Tensor.scalar(X)) {
      for (int graph = 0; graph < graphs; graph++) {
        measure(timing, graph, x, first, later);
      }
    }
    report(driver, "session+first-step", first);
    report(driver, "later-step", later);
  }

  private void measure(Timing timing, int graph, Tensor x, double[] first, double[] later) {
    Lanes lanes = new Lanes(replica, size, graph);
    long start = System.nanoTime();
    try (PreparedGraph step = lanes.open()) {
      float got = step.run(x);
      first[graph] = (System.nanoTime() - start) / 1e6;
      lanes.check(X, got);
      timing.singles(20, () -> step.run(x));
      later[graph] = timing.singles(100, () -> step.run(x)).median() / 1e3;
    }
  }

  private void report(Driver driver, String what, double[] millis) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("ops", size.nodes());
    parameters.put("what", what);
    driver.report(new Figure("large-graph", parameters, "ms", Figure.Better.MIN, millis));
  }
}
