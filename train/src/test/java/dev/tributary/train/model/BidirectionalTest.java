package dev.tributary.train.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.Bidirectional.Directions;
import dev.tributary.train.model.Bidirectional.Merge;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BidirectionalTest {
  private static final Offset<Float> NEAR = Offset.offset(1e-6f);

  private final Ops tf = Ops.create();
  private final VariableScope scope =
      VariableScope.of(tf).withInitializer(Initializers.randomUniform(-1, 1));

  @Test
  void directions_ofSequences_equalALayerOnReversedSteps() {
    Output x = tf.constant(Shape.of(1, 3, 1), 1f, -2f, 0.5f);
    Output reversed = tf.constant(Shape.of(1, 3, 1), 0.5f, -2f, 1f);
    Lstm lstm = Lstm.of(2).withSequences();
    Directions both = Bidirectional.of(lstm).directions(scope.open("both"), x);
    VariableScope reused = scope.withReuse().open("both");
    Output forward = lstm.apply(reused.open("forward_lstm"), x);
    Output backward = lstm.apply(reused.open("backward_lstm"), reversed);
    Output last = Bidirectional.of(Lstm.of(2)).apply(reused, x);

    try (ModelRun run = ModelRun.initialized(tf)) {
      float[] there = run.floats(forward);
      float[] back = run.floats(backward);
      assertThat(run.floats(both.forward())).containsExactly(there, NEAR);
      float[] inOrder = {back[4], back[5], back[2], back[3], back[0], back[1]};
      assertThat(run.floats(both.backward())).containsExactly(inOrder, NEAR);
      // The last step of each direction, which is the first step of the inputs for the second.
      assertThat(run.floats(last))
          .containsExactly(new float[] {there[4], there[5], back[4], back[5]}, NEAR);
    }
  }

  @Test
  void apply_ofAllMerges_computesByHand() {
    Output x = tf.constant(Shape.of(1, 2, 1), 1f, -2f);
    Bidirectional layer = Bidirectional.of(Gru.of(1).withSequences());
    Output concat = layer.apply(scope.open("both"), x);
    VariableScope reused = scope.withReuse().open("both");
    Output sum = layer.withMerge(Merge.SUM).apply(reused, x);
    Output average = layer.withMerge(Merge.AVERAGE).apply(reused, x);
    Output product = layer.withMerge(Merge.MULTIPLY).apply(reused, x);

    assertThat(concat.shape().size(2)).isEqualTo(2);
    try (ModelRun run = ModelRun.initialized(tf)) {
      float[] v = run.floats(concat);
      assertThat(v).hasSize(4);
      assertThat(v[0]).isNotEqualTo(v[1]);
      assertThat(run.floats(sum)).containsExactly(new float[] {v[0] + v[1], v[2] + v[3]}, NEAR);
      assertThat(run.floats(average))
          .containsExactly(new float[] {(v[0] + v[1]) / 2, (v[2] + v[3]) / 2}, NEAR);
      assertThat(run.floats(product)).containsExactly(new float[] {v[0] * v[1], v[2] * v[3]}, NEAR);
    }
  }

  @Test
  void apply_ofUnknownBatchAndTime_hasGradientsByAllVariables() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, -1, 2));
    Output y = Bidirectional.of(Gru.of(2)).apply(scope.open("both"), x);
    List<Variable> variables = Variables.trainable(tf.graph());
    List<Output> slopes =
        Gradients.dense(tf, tf.sum(tf.square(y)), variables.stream().map(Variable::value).toList());

    assertThat(variables)
        .extracting(Variable::name)
        .containsExactly(
            "both/forward_gru/kernel",
            "both/forward_gru/bias",
            "both/forward_gru/recurrent_kernel",
            "both/forward_gru/recurrent_bias",
            "both/backward_gru/kernel",
            "both/backward_gru/bias",
            "both/backward_gru/recurrent_kernel",
            "both/backward_gru/recurrent_bias");
    try (ModelRun run = ModelRun.initialized(tf)) {
      Feeds feeds = Feeds.of(x, new float[][][] {{{1, -1}, {2, 0.5f}}, {{-3, 1}, {0.5f, 0.25f}}});
      for (int i = 0; i < slopes.size(); i++) {
        float[] slope = run.session().fetch(slopes.get(i), feeds).toFloats();
        assertThat(slope).as(variables.get(i).name()).isNotEmpty().doesNotContain(0);
      }
    }
  }

  @Test
  void apply_toAMatrix_isRefused() {
    Output x = tf.constant(Shape.of(1, 2), 1f, 2f);

    assertThatThrownBy(() -> Bidirectional.of(Lstm.of(1)).apply(scope, x))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("Bidirectional: its inputs must be sequences of shape");
  }
}
