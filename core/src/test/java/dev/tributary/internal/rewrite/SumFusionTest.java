package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@NoLeaks
class SumFusionTest {
  private final Ops tf = Ops.create();
  private final Output a = floats(5, 7);
  private final Output b = floats(5, 9);
  private final Output c = floats(7, 9);
  private final Output product = tf.matMul(a, b, true, false);

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void run_sumWithAProductOnEitherSide_isOneNode() {
    for (Output sum : List.of(tf.add(tf.neg(c), product), tf.add(product, tf.neg(c)))) {
      StepGraph graph = fetching(tf.neg(sum));

      assertThat(SumFusion.run(graph)).isEqualTo(1);
      WellFormed.require(graph);
      StepNode fused =
          graph.nodes().stream()
              .filter(node -> node.declaration().name().equals("_FusedMatMulSum"))
              .findFirst()
              .orElseThrow();
      assertThat(fused.name()).isEqualTo(sum.operation().name());
      assertThat(fused.inputs()).hasSize(3);
      assertThat(fused.attributes().bool("transpose_a")).isTrue();
      assertThat(fused.attributes().bool("transpose_b")).isFalse();
    }
  }

  @Test
  void run_productOrMatrixWantedElsewhere_doesNotFire() {
    Output other = tf.neg(c);
    Output sum = tf.neg(tf.add(other, product));

    assertThat(SumFusion.run(fetching(sum, tf.neg(product)))).isZero();
    assertThat(SumFusion.run(fetching(sum, tf.tanh(other)))).isZero();
    assertThat(SumFusion.run(fetching(tf.neg(tf.add(product, product))))).isZero();
  }

  @Test
  void run_otherShapeTypeOrDevice_doesNotFire() {
    Output doubles = tf.placeholder(DataType.DOUBLE, Shape.of(3, 3));
    StepGraph apart = fetching(tf.neg(tf.add(tf.neg(c), product)));
    apart.nodes().stream()
        .filter(node -> node.declaration().name().equals("MatMul"))
        .forEach(node -> node.place("/other"));

    assertThat(SumFusion.run(apart)).isZero();
    assertThat(SumFusion.run(fetching(tf.neg(tf.add(product, tf.neg(floats(1, 9))))))).isZero();
    assertThat(SumFusion.run(fetching(tf.neg(tf.add(product, tf.neg(floats(2, 7, 9))))))).isZero();
    assertThat(
            SumFusion.run(fetching(tf.neg(tf.add(tf.matMul(doubles, doubles), tf.neg(doubles))))))
        .isZero();
  }

  @Test
  void step_feedsAndTemporaries_giveTheSameAndKeepTheFeed() {
    Output feedLast = tf.add(product, c);
    Output temporary = tf.add(tf.neg(c), product);
    try (Tensor x = noise(1, 5, 7);
        Tensor y = noise(2, 5, 9);
        Tensor z = noise(3, 7, 9)) {
      float[] before = z.toFloats();
      requireSame(Map.of(a, x, b, y, c, z), tf.neg(feedLast));
      requireSame(Map.of(a, x, b, y, c, z), tf.neg(temporary));
      assertThat(z.toFloats()).isEqualTo(before);
    }
  }

  @Test
  void step_sizesThatAreKnownLate_areBroadcast() {
    Output left = tf.placeholder(DataType.FLOAT, Shape.of(-1, 4));
    Output right = tf.placeholder(DataType.FLOAT, Shape.of(4, 6));
    Output other = tf.placeholder(DataType.FLOAT, Shape.of(-1, 6));
    Output sum = tf.add(tf.matMul(left, right), tf.neg(other));
    assertThat(SumFusion.run(fetching(tf.neg(sum)))).isEqualTo(1);
    for (int rows : new int[] {0, 1, 3}) {
      try (Tensor x = noise(1, rows, 4);
          Tensor y = noise(2, 4, 6);
          Tensor one = noise(3, 1, 6);
          Tensor all = noise(4, rows, 6)) {
        requireSame(Map.of(left, x, right, y, other, one), tf.neg(sum));
        requireSame(Map.of(left, x, right, y, other, all), tf.neg(sum));
      }
    }
  }

  @Test
  void step_gradientOfTheWeightsOfALoop_isTheSame() {
    Output x = floats(5, 8);
    Output weights = floats(8, 8);
    Output last =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), x),
                (cond, state) -> cond.less(state.get(0), cond.constant(6)),
                (body, state) ->
                    List.of(
                        body.add(state.get(0), body.constant(1)),
                        body.tanh(body.add(body.matMul(state.get(1), weights), x))))
            .get(1);
    List<Output> gradients = Gradients.dense(tf, tf.mean(last), List.of(x, weights));
    try (Tensor feed = noise(1, 5, 8);
        Tensor square = noise(2, 8, 8)) {
      requireSame(Map.of(x, feed, weights, square), last);
      requireSame(Map.of(x, feed, weights, square), gradients.get(0));
      requireSame(Map.of(x, feed, weights, square), gradients.get(1));
    }
  }

  private void requireSame(Map<Output, Tensor> feeds, Output fetch) {
    assertThat(values(SessionOptions.defaults(), feeds, fetch))
        .containsExactly(
            values(SessionOptions.defaults().without(Rewrite.FUSION), feeds, fetch), within(1e-5f));
  }

  private float[] values(SessionOptions options, Map<Output, Tensor> feeds, Output fetch) {
    try (Session session = Session.local(tf.graph(), options);
        StepResult result = session.run(feeds, List.of(fetch), List.of())) {
      return result.get(0).toFloats();
    }
  }

  private StepGraph fetching(Output... fetches) {
    return Steps.fetching(tf.graph(), fetches);
  }

  private Output floats(long... sizes) {
    return tf.placeholder(DataType.FLOAT, Shape.of(sizes));
  }

  private static Tensor noise(long seed, long... sizes) {
    Shape shape = Shape.of(sizes);
    Random random = new Random(seed);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.of(shape, values);
  }
}
