package dev.tributary.app.digits;

import java.util.Locale;

/**
 * The number of test images that a network recognises.
 *
 * @param correct how many with the variables as they are
 * @param averageCorrect how many with their moving averages
 */
record DigitsAccuracy(int images, int correct, int averageCorrect) {
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "test accuracy %.2f %% (%,d of %,d right), %.2f %% using the average model",
        100.0 * correct / images,
        correct,
        images,
        100.0 * averageCorrect / images);
  }
}
