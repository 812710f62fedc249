package dev.tributary.bench;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.DeviceGroup;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import java.util.List;
import java.util.Map;

/**
 * The sum of a float variable of each worker, on all of them: microseconds of a step that does
 * nothing else. The workers are processes, and their own masters, and all of them run this at the
 * same time.
 *
 * @param ranks the number of workers
 */
record AllReduce(Replica replica, int ranks) implements Workload {
  static final String NAME = "all-reduce";
  private static final List<Integer> BYTES = List.of(4 << 10, 256 << 10, 4 << 20, 64 << 20);

  /** Steps of a round, by the same measure for all ranks, as they must be equally many. */
  private static final long BYTES_OF_A_ROUND = 1L << 29;

  private static final int MOST_STEPS = 1000;

  @Override
  public void run(Driver driver, Timing timing) {
    for (int bytes : BYTES) {
      measure(driver, timing, bytes);
    }
  }

  private void measure(Driver driver, Timing timing, int bytes) {
    Ops tf = Ops.create();
    Ops worker = replica.worker(tf);
    DeviceGroup group = DeviceGroup.of(1, ranks);
    Variable value =
        worker.variable(
            "value" + replica.task(),
            worker.fill(worker.constant(new int[] {bytes / 4}), worker.constant(1f)));
    Output sum = worker.collectives.sum(value.value(), group, bytes);
    Operation step = worker.withControlDependencies(sum.operation()).noOp();
    int steps = (int) Math.max(4, Math.min(MOST_STEPS, BYTES_OF_A_ROUND / bytes));
    try (Session session = replica.open(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      check(session, worker, sum);
      try (StepCallable callable = session.prepare(List.of(), List.of(), List.of(step))) {
        round(callable, steps);
        double[] micros = new double[timing.rounds()];
        for (int i = 0; i < micros.length; i++) {
          micros[i] = round(callable, steps) / ranks; // The driver adds those of all ranks.
        }
        driver.report(
            new Figure(
                NAME, Map.of("ranks", ranks, "bytes", bytes), "us", Figure.Better.MIN, micros));
      }
    }
  }

  private void check(Session session, Ops worker, Output sum) {
    Output ends =
        worker.gather(sum, worker.constant(new int[] {0, (int) sum.shape().elementCount() - 1}));
    float[] values = session.fetch(ends).toFloats();
    Checks.equal("the first sum", values[0], ranks);
    Checks.equal("the last sum", values[1], ranks);
  }

  /** Microseconds of a step. */
  private static double round(StepCallable callable, int steps) {
    long start = System.nanoTime();
    for (int i = 0; i < steps; i++) {
      callable.run().close();
    }
    return (System.nanoTime() - start) / 1e3 / steps;
  }
}
