package dev.tributary.bench;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lanes of tiny ops that change the task every so often, on a parameter server and two workers:
 * milliseconds from a built graph to the end of its first step, and of later steps.
 *
 * @param blocks of a lane, each on the task after the one before
 * @param ops of a block, which wait for each other
 * @param graphs how many are measured, each a little different and in its own session
 */
record LargeGraph(Replica replica, int lanes, int blocks, int ops, int graphs) implements Workload {
  private static final float X = 0.5f;

  static LargeGraph course(Replica replica) {
    return new LargeGraph(replica, 20, 10, 100, 5);
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
    Ops tf = Ops.create();
    Output fed = replica.worker(tf).placeholder(DataType.FLOAT, Shape.scalar());
    Output sum = sumOfLanes(tf, fed, graph);
    long start = System.nanoTime();
    try (Session session = replica.open(tf.graph());
        StepCallable step = session.prepare(List.of(fed), List.of(sum), List.of())) {
      float got = run(step, x);
      first[graph] = (System.nanoTime() - start) / 1e6;
      // AddN may add in any order.
      if (Math.abs(got - expected(graph)) > 1e-4f * lanes) {
        throw new IllegalStateException("got " + got + ", wanted " + expected(graph));
      }
      timing.singles(20, () -> run(step, x));
      later[graph] = timing.singles(100, () -> run(step, x)).median() / 1e3;
    }
  }

  private Output sumOfLanes(Ops tf, Output x, int graph) {
    List<Ops> tasks = List.of(replica.ps(tf), replica.worker(tf, 0), replica.worker(tf, 1));
    List<Output> ends = new ArrayList<>();
    int block = 0;
    for (int lane = 0; lane < lanes; lane++) {
      Output y = tasks.get(block % tasks.size()).constant(begin(graph, lane));
      for (int b = 0; b < blocks; b++, block++) {
        y = OpChain.append(tasks.get(block % tasks.size()), y, x, ops);
      }
      ends.add(y);
    }
    return replica.worker(tf).math.addN(ends);
  }

  private static float begin(int graph, int lane) {
    return 1f + lane + 100 * graph;
  }

  private float expected(int graph) {
    float sum = 0;
    for (int lane = 0; lane < lanes; lane++) {
      float y = begin(graph, lane);
      for (int b = 0; b < blocks; b++) {
        y = OpChain.value(y, X, ops);
      }
      sum += y;
    }
    return sum;
  }

  private static float run(StepCallable step, Tensor x) {
    try (StepResult result = step.run(x)) {
      return result.get(0).getFloat(0);
    }
  }

  private void report(Driver driver, String what, double[] millis) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("ops", lanes * blocks * ops);
    parameters.put("what", what);
    driver.report(new Figure("large-graph", parameters, "ms", Figure.Better.MIN, millis));
  }
}
