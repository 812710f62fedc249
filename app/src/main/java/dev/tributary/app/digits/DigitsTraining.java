package dev.tributary.app.digits;

import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.staleness.Staleness;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** The loops over images: training in batches of the input, and tests. */
record DigitsTraining(DigitsNetwork network, Session session, ImageSet testImages) {
  private static final int TEST_BATCH = 500;

  /** What a worker did. */
  record Outcome(int steps, float lastLoss) {}

  /**
   * Trains until all workers together have made so many steps.
   *
   * @param shouldStop asked before each step
   * @param afterStep told the global step after each
   */
  Outcome train(
      long globalSteps, BooleanSupplier shouldStop, Progress progress, LongConsumer afterStep) {
    float loss = Float.NaN;
    int steps = 0;
    try (StepCallable train =
        session.prepare(List.of(), List.of(network.loss(), network.trained()), List.of())) {
      long globalStep = 0;
      while (globalStep < globalSteps && !shouldStop.getAsBoolean()) {
        try (StepResult result = train.run()) {
          loss = result.get(0).floatValue();
          globalStep = result.get(1).longValue();
        }
        steps++;
        progress.step(steps, loss);
        afterStep.accept(globalStep);
      }
    }
    return new Outcome(steps, loss);
  }

  /** How many test images are recognised. */
  int test() {
    return recognised(network.correct(), testImages.size());
  }

  /** How many test images the moving averages recognise. */
  int testAverages() {
    return recognised(network.averageCorrect(), testImages.size());
  }

  /** Which part of one batch of test images the moving averages recognise. */
  float validate() {
    int images = Math.min(TEST_BATCH, testImages.size());
    return (float) recognised(network.averageCorrect(), images) / images;
  }

  /** How old gradients were when they changed the network, on average over all workers. */
  float meanStaleness() {
    try (StepResult result = session.runner().fetch(staleness().mean()).run()) {
      return result.get(0).floatValue();
    }
  }

  /** How many gradients of all workers came too late. */
  long staleDropped() {
    try (StepResult result = session.runner().fetch(staleness().dropped()).run()) {
      return result.get(0).longValue();
    }
  }

  private Staleness staleness() {
    return network.replicas().staleness();
  }

  private int recognised(Output correct, int count) {
    int sum = 0;
    for (int from = 0; from < count; from += TEST_BATCH) {
      ImageSet batch = testImages.slice(from, Math.min(count, from + TEST_BATCH));
      try (Tensor pixels = batch.toTensor();
          Tensor labels = batch.toLabels();
          StepResult result =
              session
                  .runner()
                  .feed(network.images(), pixels)
                  .feed(network.labels(), labels)
                  .fetch(correct)
                  .run()) {
        sum += result.get(0).intValue();
      }
    }
    return sum;
  }
}
