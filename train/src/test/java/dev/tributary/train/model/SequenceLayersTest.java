package dev.tributary.train.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Layers over {@code [n, time, features]}. */
class SequenceLayersTest {
  private static final Offset<Float> NEAR = Offset.offset(1e-5f);
  private static final float WEIGHT = 0.5f;

  private final Ops tf = Ops.create();
  private final VariableScope scope =
      VariableScope.of(tf).withInitializer(Initializers.constant(WEIGHT));

  @Test
  void lstm_ofEqualWeights_computesByHand() {
    float[][] x = {{1, -1}, {2, 0.5f}, {-1, 3}};
    Output last = Lstm.of(1).apply(scope.open("lstm"), sequence(x));
    Output all = Lstm.of(1).withSequences().apply(scope.withReuse().open("lstm"), sequence(x));
    double h = 0;
    double c = 0;
    float[] expected = new float[x.length];
    for (int t = 0; t < x.length; t++) {
      double sum = WEIGHT * (x[t][0] + x[t][1] + h);
      c = sigmoid(sum + 1) * c + sigmoid(sum) * Math.tanh(sum);
      h = sigmoid(sum) * Math.tanh(c);
      expected[t] = (float) h;
    }

    assertThat(names()).containsExactly("lstm/kernel", "lstm/bias", "lstm/recurrent_kernel");
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(last)).containsExactly(new float[] {expected[2]}, NEAR);
      assertThat(run.floats(all)).containsExactly(expected, NEAR);
      assertThat(run.shapeOf(all)).isEqualTo(Shape.of(1, 3, 1));
    }
  }

  @Test
  void gru_ofEqualWeights_computesByHand() {
    float[][] x = {{1, -1}, {2, 0.5f}, {-1, 3}};
    Output all = Gru.of(1).withSequences().apply(scope.open("gru"), sequence(x));
    double h = 0;
    float[] expected = new float[x.length];
    for (int t = 0; t < x.length; t++) {
      double input = WEIGHT * (x[t][0] + x[t][1]);
      double update = sigmoid(input + WEIGHT * h);
      double candidate = Math.tanh(input + update * WEIGHT * h); // Both gates have equal weights.
      h = update * h + (1 - update) * candidate;
      expected[t] = (float) h;
    }

    assertThat(names())
        .containsExactly("gru/kernel", "gru/bias", "gru/recurrent_kernel", "gru/recurrent_bias");
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(all)).containsExactly(expected, NEAR);
    }
  }

  @Test
  void layers_ofUnknownBatchAndTime_haveTheSlope() {
    for (Layer layer :
        List.of(
            Lstm.of(2),
            Gru.of(2).withSequences(),
            MultiHeadAttention.of(2, 3).withCausality(),
            LayerNormalization.of())) {
      Ops own = Ops.create();
      own.graph().setSeed(3);
      VariableScope varied =
          VariableScope.of(own).withInitializer(Initializers.randomUniform(-1, 1));
      Output x = own.placeholder(DataType.FLOAT, Shape.of(-1, -1, 3));
      Output y = own.sum(own.square(layer.apply(varied, x)));
      Output dx = (Output) Gradients.of(y, List.of(x)).get(0);
      try (ModelRun run = ModelRun.initialized(own)) {
        float[][][] at = {{{0.1f, -0.4f, 0.9f}, {1, 0.3f, -0.2f}}, {{-0.5f, 0.7f, 0}, {2, -1, 1}}};
        float[] slopes = run.session().fetch(dx, Feeds.of(x, at)).toFloats();
        for (int i = 0; i < slopes.length; i++) {
          double slope = (moved(run, x, y, at, i, 0.01f) - moved(run, x, y, at, i, -0.01f)) / 0.02;
          assertThat((double) slopes[i]).as("%s, %d", layer, i).isCloseTo(slope, within(slope));
        }
      }
    }
  }

  private static float moved(
      ModelRun run, Output x, Output y, float[][][] at, int index, float by) {
    float[][][] moved = new float[2][2][];
    for (int i = 0; i < 4; i++) {
      moved[i / 2][i % 2] = at[i / 2][i % 2].clone();
    }
    moved[index / 6][index / 3 % 2][index % 3] += by;
    return run.session().fetch(y, Feeds.of(x, moved)).floatValue();
  }

  /** Differences of float sums have few digits. */
  private static Offset<Double> within(double slope) {
    return Offset.offset(0.02 + 0.02 * Math.abs(slope));
  }

  @Test
  void attention_thatIsCausal_doesNotSeeLaterSteps() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(1, 2, 2));
    Output all = MultiHeadAttention.of(1, 2).apply(scope.open("all"), x);
    Output causal = MultiHeadAttention.of(1, 2).withCausality().apply(scope.open("causal"), x);
    try (ModelRun run = ModelRun.initialized(tf)) {
      Feeds first = Feeds.of(x, new float[][][] {{{1, 2}, {3, 4}}});
      Feeds second = Feeds.of(x, new float[][][] {{{1, 2}, {-5, 6}}});

      assertThat(firstStep(run, causal, first)).containsExactly(firstStep(run, causal, second));
      assertThat(firstStep(run, all, first)).isNotEqualTo(firstStep(run, all, second));
      // One step sees itself only, whatever the scores: (1 + 2) / 2 in each of two values.
      assertThat(firstStep(run, causal, first)).containsExactly(new float[] {1.5f, 1.5f}, NEAR);
    }
  }

  private static float[] firstStep(ModelRun run, Output y, Feeds feeds) {
    float[] all = run.session().fetch(y, feeds).toFloats();
    return new float[] {all[0], all[1]};
  }

  @Test
  void layerNormalization_ofRows_hasMeanZeroAndDeviationOne() {
    Output x = tf.constant(Shape.of(2, 2), 1f, 3f, 10f, 30f);
    Output y = new LayerNormalization(0).apply(scope.open("norm"), x);

    assertThat(names()).containsExactly("norm/gamma", "norm/beta");
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(new float[] {-1, 1, -1, 1}, NEAR);
    }
  }

  @Test
  void lstm_trained_learnsWhichStepCameFirst() {
    tf.graph().setSeed(7);
    VariableScope varied = VariableScope.of(tf);
    Output x = tf.constant(Shape.of(2, 3, 1), 1f, 0f, 0f, -1f, 0f, 0f);
    Output logits = Dense.of(1).apply(varied.open("out"), Lstm.of(4).apply(varied.open("lstm"), x));
    Output loss = tf.mean(tf.square(tf.sub(logits, tf.constant(Shape.of(2, 1), 1f, -1f))));
    Operation train = new AdamOptimizer(0.05).minimize(loss);
    try (ModelRun run = ModelRun.initialized(tf)) {
      float before = run.floatOf(loss);
      run.repeat(60, train);
      assertThat(run.floatOf(loss)).isLessThan(before / 10);
    }
  }

  @Test
  void sequenceLayers_ofMatrices_areRefused() {
    Output x = tf.constant(Shape.of(1, 2), 1f, 2f);

    for (Layer layer : List.of(Lstm.of(1), Gru.of(1), MultiHeadAttention.of(1, 1))) {
      assertThatThrownBy(() -> layer.apply(scope, x))
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining("[n, time, features]");
    }
  }

  private Output sequence(float[][] steps) {
    float[] all = new float[steps.length * 2];
    for (int t = 0; t < steps.length; t++) {
      System.arraycopy(steps[t], 0, all, 2 * t, 2);
    }
    return tf.constant(Shape.of(1, steps.length, 2), all);
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  private List<String> names() {
    return Variables.global(tf.graph()).stream().map(Variable::name).toList();
  }
}
