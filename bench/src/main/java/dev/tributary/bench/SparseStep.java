package dev.tributary.bench;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Some rows of a large variable go to the worker, and as many come back to change them: rows a
 * second.
 *
 * @param ids rows in a step; some may be the same
 * @param factor what part of a row a step takes off it
 */
record SparseStep(
    Replica replica, VariableKind variables, int rows, int width, int ids, float factor)
    implements Workload {
  private static final int BATCHES = 64;

  static SparseStep course(Replica replica, VariableKind variables) {
    return new SparseStep(replica, variables, 1_000_000, 64, 4096, 1e-9f);
  }

  @Override
  public void run(Driver driver, Timing timing) {
    Ops tf = Ops.create();
    Ops worker = replica.worker(tf);
    CourseVariable v = CourseVariable.filled(replica.ps(tf), variables, 1, rows, width);
    Output fed = worker.placeholder(DataType.INT32, Shape.of(ids));
    Operation update = v.scatterSubtract(fed, worker.mul(v.gather(fed), worker.constant(factor)));
    Random random = new Random(1);
    List<Tensor> batches =
        Stream.generate(() -> Tensor.of(random.ints(ids, 0, rows).toArray()))
            .limit(BATCHES)
            .toList();
    try (Session session = replica.open(tf.graph())) {
      session.run(v.initializer());
      try (StepCallable step = session.prepare(List.of(fed), List.of(), List.of(update))) {
        measure(driver, timing, step, batches);
      }
      check(session, v.gather(fed), fed, batches.get(0));
    } finally {
      batches.forEach(Tensor::close);
    }
  }

  private void measure(Driver driver, Timing timing, StepCallable step, List<Tensor> batches) {
    int[] next = {0};
    Runnable run = () -> step.run(batches.get(next[0]++ % BATCHES)).close();
    timing.rate(2, run);
    double[] rates = new double[timing.rounds()];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = ids * timing.rate(2, run);
    }
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("rows", rows);
    parameters.put("width", width);
    parameters.put("ids", ids);
    driver.report(new Figure("sparse-step", parameters, "rows/s", Figure.Better.MAX, rates));
  }

  /** Rows of the first batch have lost something, if the factor is large enough to show. */
  private void check(Session session, Output rowsNow, Output fed, Tensor batch) {
    try (StepResult result = session.runner().feed(fed, batch).fetch(rowsNow).run()) {
      for (float element : result.get(0).toFloats()) {
        boolean isRight = 1 - factor == 1f ? element == 1 : element < 1;
        if (!isRight) {
          throw new IllegalStateException("an element of a row that was updated is " + element);
        }
      }
    }
  }
}
