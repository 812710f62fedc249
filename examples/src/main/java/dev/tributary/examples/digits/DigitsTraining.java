package dev.tributary.examples.digits;

import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** The training loop: shuffled batches, a progress bar, a test at the end. */
record DigitsTraining(
    DigitsNetwork network, Session session, DigitData data, int batch, long seed) {
  private static final int TEST_BATCH = 500;
  private static final int REFRESH_MILLIS = 200;

  /** What came out of a training. */
  record Report(
      int steps,
      double seconds,
      double imagesPerSecond,
      float lastLoss,
      int correct,
      double accuracy) {}

  Report run(int epochs) {
    session.run(network.initialize());
    ImageSet images = data.training();
    int[] order = IntStream.range(0, images.size()).toArray();
    Random random = new Random(seed);
    int stepsPerEpoch = (images.size() + batch - 1) / batch;
    float loss = Float.NaN;
    long start = System.nanoTime();
    try (StepCallable train =
            session.prepare(
                List.of(network.images(), network.labels()),
                List.of(network.loss()),
                List.of(network.train()));
        ProgressBar bar = progressBar((long) epochs * stepsPerEpoch)) {
      for (int epoch = 1; epoch <= epochs; epoch++) {
        shuffle(order, random);
        for (int from = 0; from < images.size(); from += batch) {
          int to = Math.min(images.size(), from + batch);
          loss = step(train, images, order, from, to);
          bar.step();
          bar.setExtraMessage(String.format("epoch %d/%d, loss %.4f", epoch, epochs, loss));
        }
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    int correct = test();
    return new Report(
        epochs * stepsPerEpoch,
        seconds,
        (double) epochs * images.size() / seconds,
        loss,
        correct,
        (double) correct / data.test().size());
  }

  private static float step(StepCallable train, ImageSet images, int[] order, int from, int to) {
    try (Tensor pixels = images.images(order, from, to);
        Tensor labels = images.labels(order, from, to);
        StepResult result = train.run(pixels, labels)) {
      return result.get(0).floatValue();
    }
  }

  private int test() {
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

  private static ProgressBar progressBar(long steps) {
    return new ProgressBarBuilder()
        .setTaskName("training")
        .setInitialMax(steps)
        .setUpdateIntervalMillis(REFRESH_MILLIS)
        .setStyle(ProgressBarStyle.ASCII)
        .build();
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
