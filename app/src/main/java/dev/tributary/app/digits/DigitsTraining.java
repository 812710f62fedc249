package dev.tributary.app.digits;

import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.staleness.Staleness;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** The loops over images: training in shuffled batches, and tests. */
record DigitsTraining(
    DigitsNetwork network, Session session, DigitData data, int batch, long seed) {
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
    ImageSet images = data.training();
    int[] order = IntStream.range(0, images.size()).toArray();
    Random random = new Random(seed);
    int stepsPerEpoch = (images.size() + batch - 1) / batch;
    float loss = Float.NaN;
    int steps = 0;
    try (StepCallable train =
        session.prepare(
            List.of(network.images(), network.labels()),
            List.of(network.loss(), network.trained()),
            List.of())) {
      long globalStep = 0;
      while (globalStep < globalSteps && !shouldStop.getAsBoolean()) {
        int from = steps % stepsPerEpoch * batch;
        if (from == 0) {
          shuffle(order, random);
        }
        int to = Math.min(images.size(), from + batch);
        try (Tensor pixels = images.images(order, from, to);
            Tensor labels = images.labels(order, from, to);
            StepResult result = train.run(pixels, labels)) {
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
    return recognised(network.correct(), data.test().size());
  }

  /** How many test images the moving averages recognise. */
  int testAverages() {
    return recognised(network.averageCorrect(), data.test().size());
  }

  /** Which part of one batch of test images the moving averages recognise. */
  float validate() {
    int images = Math.min(TEST_BATCH, data.test().size());
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
    ImageSet images = data.test();
    int[] order = IntStream.range(0, count).toArray();
    int sum = 0;
    for (int from = 0; from < count; from += TEST_BATCH) {
      int to = Math.min(count, from + TEST_BATCH);
      try (Tensor pixels = images.images(order, from, to);
          Tensor labels = images.labels(order, from, to);
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

  private static void shuffle(int[] order, Random random) {
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
  }
}
