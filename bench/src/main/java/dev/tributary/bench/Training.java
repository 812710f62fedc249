package dev.tributary.bench;

import java.util.Map;

/**
 * Trains a model on random batches, side by side with clients at other workers if there are any:
 * examples a second. The loss is fetched in each step.
 */
record Training(Model model, VariableKind variables, Replica replica) implements Workload {
  private static final double SECONDS = 4;

  @Override
  public void run(Driver driver, Timing timing) {
    try (TrainingInput input = new TrainingInput(model, replica.task());
        PreparedGraph graph = PreparedGraph.training(model, variables, replica)) {
      driver.sync(); // The other clients begin when the first has initialized the variables.
      float first = graph.run(input.first());
      float[] loss = {first};
      Runnable step = () -> loss[0] = graph.run(input.next());
      timing.rate(SECONDS, step);
      double[] rates = new double[timing.rounds()];
      for (int i = 0; i < rates.length; i++) {
        driver.sync();
        rates[i] = model.batch() * timing.rate(SECONDS, step);
      }
      System.err.printf("loss %.4f -> %.4f%n", first, loss[0]);
      if (!Float.isFinite(loss[0])) {
        throw new IllegalStateException("training went astray: the loss is " + loss[0]);
      }
      driver.report(
          new Figure(
              model.lowerName(),
              Map.of("mode", replica.mode()),
              "examples/s",
              Figure.Better.MAX,
              rates));
    }
  }
}
