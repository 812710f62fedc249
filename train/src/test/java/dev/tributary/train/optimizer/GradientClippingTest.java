package dev.tributary.train.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class GradientClippingTest {
  private static final Offset<Float> NEAR = Offset.offset(1e-6f);

  private final Ops tf = Ops.create();
  private final Variable variable = tf.variable("w", tf.constant(0f));

  /** Lengths 5 and, sparse, 12: 13 together. */
  private final List<GradientAndVariable> gradients =
      List.of(
          new GradientAndVariable(tf.constant(3f, -4f), variable),
          new GradientAndVariable(
              new IndexedSlices(
                  tf.constant(Shape.of(1, 2), 0f, 12f),
                  tf.constant(new int[] {1}),
                  tf.constant(3, 2)),
              variable),
          new GradientAndVariable(GradientValue.none(), variable));

  @Test
  void byValue_ofAll_movesElementsIntoTheRange() {
    List<GradientAndVariable> clipped = GradientClipping.byValue(tf, gradients, -1, 5);

    assertValues(clipped, new float[] {3, -1}, new float[] {0, 5});
  }

  @Test
  void byNorm_ofAll_shortensWhatIsTooLong() {
    List<GradientAndVariable> clipped = GradientClipping.byNorm(tf, gradients, 6);

    assertValues(clipped, new float[] {3, -4}, new float[] {0, 6});
  }

  @Test
  void byNorm_ofZeros_staysZero() {
    Output clipped = GradientClipping.byNorm(tf, tf.constant(0f, 0f), 1);

    try (ModelRun run = ModelRun.of(tf)) {
      assertThat(run.floats(clipped)).containsExactly(0, 0);
    }
  }

  @Test
  void byGlobalNorm_ofAll_scalesThemAlike() {
    List<GradientAndVariable> clipped = GradientClipping.byGlobalNorm(tf, gradients, 6.5);

    assertValues(clipped, new float[] {1.5f, -2}, new float[] {0, 6});
  }

  @Test
  void byGlobalNorm_shortEnough_changesNothing() {
    List<GradientAndVariable> clipped = GradientClipping.byGlobalNorm(tf, gradients, 20);

    assertValues(clipped, new float[] {3, -4}, new float[] {0, 12});
  }

  @Test
  void byGlobalNorm_infinite_isNoticed() {
    List<GradientAndVariable> wild =
        List.of(new GradientAndVariable(tf.constant(Float.POSITIVE_INFINITY, 1f), variable));
    List<GradientAndVariable> clipped = GradientClipping.byGlobalNorm(tf, wild, 1);

    try (ModelRun run = ModelRun.of(tf)) {
      assertThat(run.floats((Output) clipped.get(0).gradient())).containsOnly(Float.NaN);
    }
  }

  private void assertValues(List<GradientAndVariable> clipped, float[] dense, float[] sparse) {
    IndexedSlices slices = (IndexedSlices) clipped.get(1).gradient();
    try (ModelRun run = ModelRun.of(tf)) {
      assertThat(run.floats((Output) clipped.get(0).gradient())).containsExactly(dense, NEAR);
      assertThat(run.floats(slices.values())).containsExactly(sparse, NEAR);
      assertThat(run.ints(slices.indices())).containsExactly(1);
    }
    assertThat(clipped.get(2).hasGradient()).isFalse();
  }
}
