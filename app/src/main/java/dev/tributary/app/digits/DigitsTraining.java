package dev.tributary.app.digits;

import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The loops over images: training in shuffled batches, and the test at the end. */
record DigitsTraining(
    DigitsNetwork network, Session session, DigitData data, int batch, long seed) {
  private static final int TEST_BATCH = 500;

  /** Trains for so many steps; returns the loss of the last one. */
  float train(int steps, Progress progress) {
    ImageSet images = data.training();
    int[] order = IntStream.range(0, images.size()).toArray();
    Random random = new Random(seed);
    int stepsPerEpoch = (images.size() + batch - 1) / batch;
    float loss = Float.NaN;
    try (StepCallable train =
        session.prepare(
            List.of(network.images(), network.labels()),
            List.of(network.loss()),
            List.of(network.train()))) {
      for (int step = 0; step < steps; step++) {
        int from = step % stepsPerEpoch * batch;
        if (from == 0) {
          shuffle(order, random);
        }
        loss = step(train, order, from, Math.min(images.size(), from + batch));
        progress.step(step + 1, loss);
      }
    }
    return loss;
  }

  /** How many test images are recognised. */
  int test() {
    ImageSet images = data.test();
    int[] order = IntStream.range(0, images.size()).toArray();
    int correct = 0;
    for (int from = 0; from < images.size(); from += TEST_BATCH) {
      int to = Math.min(images.size(), from + TEST_BATCH);
      try (Tensor pixels = images.images(order, from, to);
          Tensor labels = images.labels(order, from, to);
          StepResult result =
              session
                  .runner()
                  .feed(network.images(), pixels)
                  .feed(network.labels(), labels)
                  .fetch(network.correct())
                  .run()) {
        correct += result.get(0).intValue();
      }
    }
    return correct;
  }

  private float step(StepCallable train, int[] order, int from, int to) {
    try (Tensor pixels = data.training().images(order, from, to);
        Tensor labels = data.training().labels(order, from, to);
        StepResult result = train.run(pixels, labels)) {
      return result.get(0).floatValue();
    }
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
