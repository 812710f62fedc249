package dev.tributary.bench;

import dev.tributary.session.SessionOptions;
import java.util.Map;

/**
 * Trains a model on random batches in this process: examples a second. The loss is fetched in each
 * step.
 */
record Training(Model model, VariableKind variables, SessionOptions options) implements Workload {
  @Override
  public void run(Driver driver, Timing timing) {
    try (TrainingInput input = new TrainingInput(model);
        PreparedGraph graph = PreparedGraph.training(model, variables, options)) {
      driver.sync();
      float first = graph.run(input.first());
      float[] loss = {first};
      Runnable step = () -> loss[0] = graph.run(input.next());
      timing.rate(step);
      double[] rates = new double[timing.rounds()];
      for (int i = 0; i < rates.length; i++) {
        driver.sync();
        rates[i] = model.batch() * timing.rate(step);
      }
      System.err.printf("loss %.4f -> %.4f%n", first, loss[0]);
      if (!Float.isFinite(loss[0])) {
        throw new IllegalStateException("training went astray: the loss is " + loss[0]);
      }
      driver.report(
          new Figure(
              model.lowerName(), Map.of("mode", "local"), "examples/s", Figure.Better.MAX, rates));
    }
  }
}
