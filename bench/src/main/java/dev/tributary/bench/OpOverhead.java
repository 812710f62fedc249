package dev.tributary.bench;

import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The cost of an op in a long chain of tiny ops, and of a step of one op. */
record OpOverhead(SessionOptions options) implements Workload {
  private static final Set<String> CHAINED = Set.of("Mul", "Add", "AddV2");

  @Override
  public void run(Driver driver, Timing timing) {
    try (Tensor half = Tensor.scalar(0.5f)) {
      chain(driver, timing, half);
      single(driver, timing, half);
    }
  }

  private void chain(Driver driver, Timing timing, Tensor half) {
    int ops = 1000;
    try (PreparedGraph graph = OpChain.prepare(ops, options)) {
      double[] micros = medians(timing, 2000, graph, half);
      Map<String, Object> parameters = new LinkedHashMap<>();
      parameters.put("ops", ops);
      parameters.put("executed", executed(graph, half));
      double[] nanos = Arrays.stream(micros).map(us -> us * 1e3 / ops).toArray();
      driver.report(new Figure("op-overhead", parameters, "ns/op", Figure.Better.MIN, nanos));
    }
  }

  private void single(Driver driver, Timing timing, Tensor half) {
    try (PreparedGraph graph = OpChain.prepare(1, options)) {
      double[] micros = medians(timing, 50_000, graph, half);
      driver.report(
          new Figure("op-overhead", Map.of("ops", 1), "us/step", Figure.Better.MIN, micros));
    }
  }

  private static double[] medians(Timing timing, int steps, PreparedGraph graph, Tensor half) {
    Runnable step = () -> graph.run(half);
    timing.singles(steps, step);
    double[] micros = new double[timing.rounds()];
    for (int i = 0; i < micros.length; i++) {
      micros[i] = timing.singles(steps, step).median();
    }
    return micros;
  }

  /** Returns how many ops of the chain a traced step runs: what rewrites leave of them. */
  private static long executed(PreparedGraph graph, Tensor half) {
    return graph.trace(half).nodes().stream().filter(node -> CHAINED.contains(node.op())).count();
  }
}
