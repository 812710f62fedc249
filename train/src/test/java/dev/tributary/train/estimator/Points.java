package dev.tributary.train.estimator;

import dev.tributary.train.data.Dataset;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.feature.FeatureColumns;
import java.util.List;
import java.util.Map;

/** Points of a plane, of which those above the diagonal are of class 1. */
final class Points {
  static final List<FeatureColumn> COLUMNS =
      List.of(FeatureColumns.numeric("x"), FeatureColumns.numeric("y"));

  static final int COUNT = 200;

  private Points() {}

  /**
   * @param passes -1 for any number
   */
  static InputFunction input(long passes) {
    float[] x = new float[COUNT];
    float[] y = new float[COUNT];
    int[] label = new int[COUNT];
    for (int i = 0; i < COUNT; i++) {
      x[i] = i % 20 / 10f - 1;
      y[i] = i / 20 / 5f - 0.95f;
      label[i] = y[i] > x[i] ? 1 : 0;
    }
    return InputFunction.of(
        () ->
            Dataset.zip(Dataset.tensorSlices(Map.of("x", x, "y", y)), Dataset.tensorSlices(label))
                .repeat(passes)
                .batch(50));
  }
}
