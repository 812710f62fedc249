package dev.tributary.train.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.Initializer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LayersTest {
  private static final Offset<Float> NEAR = Offset.offset(1e-5f);

  private final Ops tf = Ops.create();
  private final VariableScope scope = VariableScope.of(tf);

  @Test
  void dense_withBiasAndRectifier_computesByHand() {
    Output x = matrix(2, 2, 1, 2, 3, -4);
    Output y =
        Dense.of(1)
            .withKernelInitializer(Initializers.constant(2))
            .withBiasInitializer(Initializers.ones())
            .withActivation(Activation.RELU)
            .apply(scope.open("fc"), x);

    assertThat(names()).containsExactly("fc/kernel", "fc/bias");
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(7, 0);
    }
  }

  @Test
  void dense_ofHigherRank_worksOnTheLastDimension() {
    Output x = tf.constant(Shape.of(2, 1, 2), 1f, 2f, 3f, 4f);
    Output y = Dense.of(3).withoutBias().withKernelInitializer(Initializers.ones()).apply(scope, x);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.shapeOf(y)).isEqualTo(Shape.of(2, 1, 3));
      assertThat(run.floats(y)).containsExactly(3, 3, 3, 7, 7, 7);
    }
  }

  @Test
  void dense_ofUnknownWidth_isRefused() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(2, -1));

    assertThatThrownBy(() -> Dense.of(1).apply(scope, x))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("Dense");
  }

  @Test
  void conv2d_ofOnes_sumsItsWindow() {
    Output x = tf.constant(Shape.of(1, 2, 2, 1), 1f, 2f, 3f, 4f);
    Output y =
        Conv2D.of(1, 2).withKernelInitializer(Initializers.ones()).apply(scope.open("conv"), x);
    Output same =
        Conv2D.of(2, 2)
            .withStrides(1, Padding.SAME)
            .withoutBias()
            .withKernelInitializer(Initializers.ones())
            .apply(scope.open("conv_1"), x);

    assertThat(names()).containsExactly("conv/kernel", "conv/bias", "conv_1/kernel");
    assertThat(same.shape()).isEqualTo(Shape.of(1, 2, 2, 2));
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(10);
      assertThat(run.floats(same)).containsExactly(10, 10, 6, 6, 7, 7, 4, 4);
    }
  }

  @Test
  void pooling_ofBothKinds_reducesWindows() {
    Output x = tf.constant(Shape.of(1, 2, 2, 1), 1f, 2f, 3f, 4f);
    Output largest = Pooling2D.max(2, 2, Padding.SAME).apply(scope, x);
    Output mean = Pooling2D.average(2, 2, Padding.SAME).apply(scope, x);

    try (ModelRun run = ModelRun.of(tf)) {
      assertThat(run.floats(largest)).containsExactly(4);
      assertThat(run.floats(mean)).containsExactly(2.5f);
    }
  }

  @Test
  void flatten_ofUnknownBatch_keepsIt() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, 2, 3, 4));

    assertThat(new Flatten().apply(scope, x).shape()).isEqualTo(Shape.of(-1, 24));
  }

  @Test
  void dropout_inTraining_dropsItsShareAndKeepsTheSum() {
    tf.graph().setSeed(5);
    Output x = tf.fill(tf.constant(100, 100), tf.constant(1f));
    Output y = new Dropout(0.25, true).apply(scope, x);

    try (ModelRun run = ModelRun.of(tf)) {
      double sum = 0;
      int dropped = 0;
      for (float value : run.floats(y)) {
        assertThat(value).isIn(0f, 1 / 0.75f);
        sum += value;
        dropped += value == 0 ? 1 : 0;
      }
      assertThat(dropped / 1e4).isCloseTo(0.25, within(0.02));
      assertThat(sum / 1e4).isCloseTo(1, within(0.03));
    }
  }

  @Test
  void dropout_outOfTraining_changesNothing() {
    Output x = tf.constant(1f, 2f);

    assertThat(new Dropout(0.5, false).apply(scope, x)).isEqualTo(x);
    assertThatThrownBy(() -> new Dropout(1, true)).isInstanceOf(TributaryException.class);
  }

  @Test
  void embedding_inParts_looksUpAsInOne() {
    Output ids = tf.constant(4, 0, 2);
    Output one = Embedding.of(5, 2).withInitializer(rowNumbers()).apply(scope.open("one"), ids);
    Output parts =
        Embedding.of(5, 2)
            .withInitializer(Initializers.ones())
            .withPartitioner(Partitioner.fixedSize(2, 0))
            .apply(scope.open("parts"), ids);

    assertThat(names())
        .containsExactly("one/embeddings", "parts/embeddings/part_0", "parts/embeddings/part_1");
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(one)).containsExactly(4, 4, 0, 0, 2, 2);
      assertThat(run.floats(parts)).hasSize(6).containsOnly(1);
    }
  }

  @Test
  void batchNormalization_ofRows_normalisesAndMovesItsAverages() {
    Output x = matrix(2, 2, 1, 10, 3, 30);
    Output y = new BatchNormalization(true, 0.9, 0).apply(scope.open("bn"), x);
    List<Operation> updates =
        tf.graph().collection("update_ops").stream().map(Operation.class::cast).toList();

    assertThat(names())
        .containsExactly("bn/gamma", "bn/beta", "bn/moving_mean", "bn/moving_variance");
    assertThat(Variables.trainable(tf.graph())).hasSize(2);
    assertThat(updates).hasSize(2);
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(new float[] {-1, -1, 1, 1}, NEAR);
      updates.forEach(run::run);
      assertThat(run.floats(variable("bn/moving_mean").value()))
          .containsExactly(new float[] {0.2f, 2}, NEAR);
      assertThat(run.floats(variable("bn/moving_variance").value()))
          .containsExactly(new float[] {1, 0.9f + 10}, NEAR);
    }
  }

  @Test
  void batchNormalization_outOfTraining_usesItsAverages() {
    Output x = matrix(2, 2, 1, 10, 3, 30);
    Output y = new BatchNormalization(false, 0.9, 3).apply(scope.open("bn"), x);
    Output images = tf.reshape(x, 1, 2, 1, 2);
    Output ofImages =
        new BatchNormalization(false, 0.9, 3).apply(scope.withReuse().open("bn"), images);

    assertThat(tf.graph().collection("update_ops")).isEmpty();
    try (ModelRun run = ModelRun.initialized(tf)) {
      // Mean 0 and variance 1 + 3.
      assertThat(run.floats(y)).containsExactly(new float[] {0.5f, 5, 1.5f, 15}, NEAR);
      assertThat(run.floats(ofImages)).containsExactly(new float[] {0.5f, 5, 1.5f, 15}, NEAR);
    }
  }

  @Test
  void batchNormalization_ofImages_normalisesEachChannel() {
    Output images = tf.constant(Shape.of(1, 2, 1, 2), 1f, 10f, 3f, 30f);
    Output y = new BatchNormalization(true, 0.9, 1e-5).apply(scope, images);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(new float[] {-1, -1, 1, 1}, NEAR);
    }
  }

  private static Initializer rowNumbers() {
    return (tf, type, slice) -> tf.constant(slice.shape(), 0f, 0f, 1f, 1f, 2f, 2f, 3f, 3f, 4f, 4f);
  }

  private Output matrix(int rows, int columns, float... values) {
    return tf.constant(Shape.of(rows, columns), values);
  }

  private Variable variable(String name) {
    return Variables.global(tf.graph()).stream()
        .filter(v -> v.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private List<String> names() {
    return Variables.global(tf.graph()).stream().map(Variable::name).toList();
  }
}
