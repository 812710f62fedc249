package dev.tributary.app.digits;

import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;

/**
 * Tests a network on images that it has not learnt from.
 *
 * @param images fed with a batch of images
 * @param labels fed with their digits
 * @param correct how many of the batch are recognised
 * @param averageCorrect how many are by the moving averages
 */
record DigitsEvaluation(
    Session session, Output images, Output labels, Output correct, Output averageCorrect) {
  private static final int BATCH = 500;

  DigitsAccuracy accuracy(ImageSet test) {
    return new DigitsAccuracy(
        test.size(), recognised(correct, test), recognised(averageCorrect, test));
  }

  /** Returns the share of one batch of test images that the moving averages recognise. */
  float quickAccuracy(ImageSet test) {
    ImageSet batch = test.slice(0, Math.min(BATCH, test.size()));
    return (float) recognised(averageCorrect, batch) / batch.size();
  }

  private int recognised(Output right, ImageSet test) {
    int sum = 0;
    for (int from = 0; from < test.size(); from += BATCH) {
      ImageSet batch = test.slice(from, Math.min(test.size(), from + BATCH));
      try (Tensor pixels = batch.toTensor();
          Tensor digits = batch.toLabels();
          StepResult result =
              session.runner().feed(images, pixels).feed(labels, digits).fetch(right).run()) {
        sum += result.get(0).intValue();
      }
    }
    return sum;
  }
}
