package dev.tributary.internal.kernel.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ErfTest {
  @Test
  void erf_wherePublishedTablesHaveIt_isExactToFourteenDigits() {
    assertThat(Erf.erf(0.1)).isCloseTo(0.1124629160182849, within(1e-15));
    assertThat(Erf.erf(0.5)).isCloseTo(0.5204998778130465, within(1e-15));
    assertThat(Erf.erf(1)).isCloseTo(0.8427007929497149, within(1e-15));
    assertThat(Erf.erf(2)).isCloseTo(0.9953222650189527, within(1e-15));
    assertThat(Erf.erf(-3)).isCloseTo(-0.9999779095030014, within(1e-15));
  }

  @Test
  void erf_ofTinyNumbers_keepsRelativePrecision() {
    double slope = 2 / Math.sqrt(Math.PI);

    assertThat(Erf.erf(1e-20) / 1e-20).isCloseTo(slope, within(1e-15));
    assertThat(Erf.erf(-1e-8) / -1e-8).isCloseTo(slope, within(1e-15));
  }

  /** The series with terms of one sign, which needs many of them but loses nothing. */
  @Test
  void erf_everywhere_equalsItsSeries() {
    for (double x = 0.001; x < 5; x += 0.0137) {
      double term = x;
      double sum = x;
      for (int n = 1; n < 200; n++) {
        term *= 2 * x * x / (2 * n + 1);
        sum += term;
      }
      double expected = 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
      assertThat(Erf.erf(x)).as("erf(%s)", x).isCloseTo(expected, within(4e-15));
    }
  }

  @Test
  void erf_ofUnusualNumbers_isAsC() {
    assertThat(Erf.erf(Double.NaN)).isNaN();
    assertThat(Erf.erf(Double.POSITIVE_INFINITY)).isEqualTo(1);
    assertThat(Erf.erf(-40)).isEqualTo(-1);
    assertThat(1 / Erf.erf(-0.0)).isEqualTo(Double.NEGATIVE_INFINITY);
  }
}
