package dev.tributary.app.digits;

import java.io.PrintWriter;

/**
 * What came out of a training.
 *
 * @param images how many images the steps took together
 * @param correct how many test images are recognised
 * @param averageCorrect how many are by the moving averages of the variables
 */
record DigitsReport(
    int steps, long images, double seconds, float lastLoss, int correct, int averageCorrect) {
  void printSteps(PrintWriter out) {
    out.printf(
        "%,d steps in %.1f s (%,.0f images/s), last loss %.4f%n",
        steps, seconds, images / seconds, lastLoss);
    out.flush();
  }

  void printTest(PrintWriter out, int testImages) {
    out.printf(
        "test accuracy %.2f %% (%,d of %,d right), %.2f %% using the average model%n",
        100.0 * correct / testImages, correct, testImages, 100.0 * averageCorrect / testImages);
    out.flush();
  }
}
