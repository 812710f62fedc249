package dev.tributary.app.digits;

import dev.tributary.train.consistency.Consistency;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * What came out of a training in one process.
 *
 * @param images how many images the steps took together
 * @param validations what the chief found out about the network now and then
 * @param judgement what it found out at the end
 */
record DigitsReport(
    int steps,
    long images,
    double seconds,
    float lastLoss,
    List<Validation> validations,
    Optional<Judgement> judgement) {
  DigitsReport {
    validations = List.copyOf(validations);
  }

  /** The accuracy of the average model after so many steps of all workers. */
  record Validation(long globalStep, float accuracy) {}

  /**
   * How good the network is, and how it was trained.
   *
   * @param correct how many test images are recognised
   * @param averageCorrect how many are by the moving averages of the variables
   * @param meanStaleness the steps that others had made while a gradient was computed
   * @param staleDropped the gradients that came too late
   */
  record Judgement(
      int testImages, int correct, int averageCorrect, float meanStaleness, long staleDropped) {}

  void printSteps(PrintWriter out) {
    out.printf(
        "%,d steps in %.1f s (%,.0f images/s), last loss %.4f%n",
        steps, seconds, images / seconds, lastLoss);
    out.flush();
  }

  void printValidations(PrintWriter out) {
    for (Validation one : validations) {
      out.printf(
          "after %,d training steps, validation accuracy using the average model is %.2f %%%n",
          one.globalStep, 100 * one.accuracy);
    }
    out.flush();
  }

  /** The accuracy; nothing for workers that are not the chief. */
  void printTest(PrintWriter out) {
    judgement.ifPresent(
        j ->
            out.printf(
                "test accuracy %.2f %% (%,d of %,d right), %.2f %% using the average model%n",
                100.0 * j.correct / j.testImages,
                j.correct,
                j.testImages,
                100.0 * j.averageCorrect / j.testImages));
    out.flush();
  }

  /** How outdated gradients were; nothing for workers that are not the chief. */
  void printStaleness(PrintWriter out, Consistency consistency) {
    judgement.ifPresent(
        j ->
            out.printf(
                "%s: gradients were %.2f steps old on average, %,d came too late%n",
                consistency, j.meanStaleness, j.staleDropped));
    out.flush();
  }
}
