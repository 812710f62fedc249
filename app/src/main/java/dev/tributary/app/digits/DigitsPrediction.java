package dev.tributary.app.digits;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The digit in an image.
 *
 * @param probabilities that of each digit
 */
record DigitsPrediction(float[] probabilities) {
  private static final float LEAST_SHOWN = 0.001f;

  DigitsPrediction {
    probabilities = probabilities.clone();
  }

  int digit() {
    return ranking().get(0);
  }

  /** All digits, the most probable one first. */
  private List<Integer> ranking() {
    return IntStream.range(0, probabilities.length)
        .boxed()
        .sorted(Comparator.comparing((Integer digit) -> -probabilities[digit]))
        .toList();
  }

  /** The digit, and the probabilities of it and of others that are not negligible. */
  @Override
  public String toString() {
    String list =
        ranking().stream()
            .filter(digit -> digit == digit() || probabilities[digit] >= LEAST_SHOWN)
            .map(digit -> String.format(Locale.ROOT, "%d %.1f %%", digit, percent(digit)))
            .collect(Collectors.joining(", "));
    return digit() + " (" + list + ")";
  }

  private float percent(int digit) {
    return 100 * probabilities[digit];
  }
}
