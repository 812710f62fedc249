package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrainingInputTest {
  @ParameterizedTest
  @EnumSource
  void batches_inTurn_areSixteenOfTheModelsShape(Model model) {
    try (TrainingInput input = new TrainingInput(model, 0)) {
      Tensor[] first = input.next();
      assertThat(first).isSameAs(input.first());
      for (int i = 1; i < 16; i++) {
        assertThat(input.next()).isNotSameAs(first);
      }
      assertThat(input.next()).isSameAs(first);
      assertThat(first[0].shape()).isEqualTo(model.images());
      assertThat(first[1].shape()).isEqualTo(model.labels());
    }
  }

  @ParameterizedTest
  @EnumSource
  void labels_ofABatch_areOneHot(Model model) {
    try (TrainingInput input = new TrainingInput(model, 0)) {
      float[] labels = input.first()[1].toFloats();
      for (int row = 0; row < model.batch(); row++) {
        float sum = 0;
        for (int i = 0; i < Model.CLASSES; i++) {
          float label = labels[row * Model.CLASSES + i];
          assertThat(label).isIn(0f, 1f);
          sum += label;
        }
        assertThat(sum).isEqualTo(1);
      }
    }
  }
}
