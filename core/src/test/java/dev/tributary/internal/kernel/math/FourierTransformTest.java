package dev.tributary.internal.kernel.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FourierTransformTest {
  /** All small lengths, and some with large powers and large primes. */
  static IntStream lengths() {
    return IntStream.concat(
        IntStream.rangeClosed(1, 70), IntStream.of(97, 169, 210, 400, 509, 512));
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void run_anyLength_isTheSumOfItsDefinition(int length) {
    double[] signal = new Random(length).doubles(2 * length, -1, 1).toArray();
    FourierTransform transform = FourierTransform.of(length);
    double[] scratch = new double[transform.scratchLength()];
    double[] spectrum = signal.clone();

    transform.run(spectrum, scratch, false);

    for (int k = 0; k < length; k++) {
      double re = 0;
      double im = 0;
      for (int j = 0; j < length; j++) {
        double angle = -2 * Math.PI * ((long) j * k % length) / length;
        re += signal[2 * j] * Math.cos(angle) - signal[2 * j + 1] * Math.sin(angle);
        im += signal[2 * j] * Math.sin(angle) + signal[2 * j + 1] * Math.cos(angle);
      }
      assertThat(spectrum[2 * k]).isCloseTo(re, within(1e-12 * length));
      assertThat(spectrum[2 * k + 1]).isCloseTo(im, within(1e-12 * length));
    }
    transform.run(spectrum, scratch, true);
    for (int i = 0; i < signal.length; i++) {
      assertThat(spectrum[i] / length).isCloseTo(signal[i], within(1e-12));
    }
  }
}
