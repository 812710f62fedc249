package dev.tributary.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The cost of an empty step of two tasks: microseconds, at the median and worst. */
record NullStep(Replica replica, VariableKind variables) implements Workload {
  private static final int STEPS = 2000;

  @Override
  public void run(Driver driver, Timing timing) {
    for (NullGraph.Input input : NullGraph.Input.values()) {
      try (NullGraph graph = new NullGraph(replica, variables, input)) {
        measure(driver, timing, graph, input);
      }
    }
  }

  private static void measure(
      Driver driver, Timing timing, NullGraph graph, NullGraph.Input input) {
    AtomicInteger steps = new AtomicInteger();
    Runnable step =
        () -> {
          graph.step();
          steps.incrementAndGet();
        };
    timing.singles(STEPS, step);
    double[] p50 = new double[timing.rounds()];
    double[] p99 = new double[timing.rounds()];
    for (int i = 0; i < timing.rounds(); i++) {
      Singles micros = timing.singles(STEPS, step);
      p50[i] = micros.median();
      p99[i] = micros.percentile(99);
    }
    if (input == NullGraph.Input.feed) {
      Checks.equal("v after " + steps + " steps", graph.value(), 1 + 0.5f * steps.get());
    }
    report(driver, input, "p50", p50);
    report(driver, input, "p99", p99);
  }

  private static void report(
      Driver driver, NullGraph.Input input, String statistic, double[] micros) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("input", input);
    parameters.put("stat", statistic);
    driver.report(new Figure("null-step", parameters, "us", Figure.Better.MIN, micros));
  }
}
