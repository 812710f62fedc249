package org.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class LineFitTest {
  @Test
  void fit_pointsOnALine_findsIt() {
    assertArrayEquals(
        new float[] {2, 1}, LineFit.fit(new float[] {0, 1, 2}, new float[] {1, 3, 5}), 0.01f);
  }
}
