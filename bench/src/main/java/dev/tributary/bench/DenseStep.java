package dev.tributary.bench;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import java.util.List;
import java.util.Map;

/**
 * A whole variable goes to the worker, and as much comes back to change it: milliseconds a step,
 * and what that moves.
 *
 * @param mib the variable's size
 * @param factor what part of the variable a step takes off it
 */
record DenseStep(Replica replica, VariableKind variables, int mib, float factor)
    implements Workload {
  /** Too little to change a float of 1, as the course has it. */
  static final float COURSE_FACTOR = 1e-9f;

  @Override
  public void run(Driver driver, Timing timing) {
    Ops tf = Ops.create();
    Ops worker = replica.worker(tf);
    CourseVariable v = CourseVariable.filled(replica.ps(tf), variables, 1, mib << 18);
    Operation update = v.subtract(worker.mul(v.value(), worker.constant(factor)));
    try (Session session = replica.open(tf.graph())) {
      session.run(v.initializer());
      try (StepCallable step = session.prepare(List.of(), List.of(), List.of(update))) {
        int steps = measure(driver, timing, () -> step.run().close());
        check(session, v.value(), steps);
      }
    }
  }

  /** Gives the number of steps. */
  private int measure(Driver driver, Timing timing, Runnable step) {
    int[] steps = {0};
    Runnable counted =
        () -> {
          step.run();
          steps[0]++;
        };
    int count = Math.max(4, 256 / mib);
    timing.singles(count, counted);
    double[] millis = new double[timing.rounds()];
    double[] rates = new double[timing.rounds()];
    for (int i = 0; i < millis.length; i++) {
      millis[i] = timing.singles(count, counted).median() / 1e3;
      rates[i] = 2 * mib * 1.048576 / (millis[i] / 1e3);
    }
    Map<String, Object> parameters = Map.of("mib", mib);
    driver.report(new Figure("dense-step", parameters, "ms", Figure.Better.MIN, millis));
    driver.report(new Figure("dense-step", parameters, "MB/s", Figure.Better.MAX, rates));
    return steps[0];
  }

  private void check(Session session, Output value, int steps) {
    float wanted = 1;
    for (int i = 0; i < steps; i++) {
      wanted -= wanted * factor;
    }
    try (StepResult result = session.runner().fetch(value).run()) {
      long last = result.get(0).shape().elementCount() - 1;
      Checks.equal("the first of v", result.get(0).getFloat(0), wanted);
      Checks.equal("the last of v", result.get(0).getFloat(last), wanted);
    }
  }
}
