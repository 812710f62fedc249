package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.bench.network.Network;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class DatasetStepsTest {
  @Test
  void map_ofFewNumbers_addsUpTheMeanOfTheirBatch() {
    // 1, 2, 5 and 10 in one batch, and the 0.5 that is fed.
    assertThat(value(DatasetSteps.map(4, 0))).isEqualTo(5);
    assertThat(value(DatasetSteps.map(4, 2))).isEqualTo(5);
  }

  @Test
  void records_ofNumbersBelowOne_addUpTheMeansOfTheirBatches() {
    assertThat(value(DatasetSteps.records(256))).isCloseTo(1.5f, Offset.offset(0.1f));
  }

  @Test
  void images_ofGreyPixels_addUpTheMeansOfTheirBatches() {
    // About a fifth of the pixels are drawn, with 127.5 on average.
    assertThat(value(DatasetSteps.images(128, 2))).isBetween(15f, 40f);
  }

  private static float value(Network network) {
    try (NetworkStep step = NetworkStep.tributary(network)) {
      return step.fetch()[0];
    }
  }
}
