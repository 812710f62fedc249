package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PooledGradientsTest {
  private final Ops tf = Ops.create();
  private final Random random = new Random(5);
  private final Output x = noise(2, 9, 7, 3);
  private final Output bias = noise(3);

  @Test
  void masks_behindPoolingOfTheirImage_moveInFront() {
    Output active = tf.relu(tf.biasAdd(x, bias));
    Output gradient = gradient(tf.maxPool(active, 2, 2, Padding.SAME), x);
    StepGraph graph = Steps.fetching(tf.graph(), gradient);

    assertThat(PooledGradients.run(graph)).isEqualTo(1);
    WellFormed.require(graph);
    assertThat(only(graph, "ReluGrad").inputs().get(0).node().declaration().name())
        .isNotEqualTo("MaxPoolGrad");
    assertThat(only(graph, "ReluGrad").outputShapes()).containsExactly(Shape.of(2, 5, 4, 3));
    assertThat(only(graph, "MaxPoolGrad").inputs().get(2).node()).isSameAs(only(graph, "ReluGrad"));
  }

  @Test
  void sums_behindPooling_readWhatIsSpread() {
    Output pooled = tf.maxPool(tf.biasAdd(x, bias), 2, 2, Padding.SAME);
    StepGraph graph = Steps.fetching(tf.graph(), gradient(pooled, bias));

    assertThat(PooledGradients.run(graph)).isEqualTo(1);
    WellFormed.require(graph);
    assertThat(Steps.count(graph, "MaxPoolGrad")).isZero();
  }

  @Test
  void gradients_ofAnyWindow_stayTheSame() {
    for (int size = 1; size <= 3; size++) {
      for (int stride = 1; stride <= 3; stride++) {
        for (Padding padding : List.of(Padding.SAME, Padding.VALID)) {
          Output summed = tf.biasAdd(x, bias);
          for (Output active : List.of(tf.relu(summed), tf.nn.relu6(summed), summed)) {
            Output pooled = tf.maxPool(active, size, stride + 1, ConvOptions.of(stride, padding));
            requireSame(pooled, x);
            requireSame(pooled, bias);
          }
        }
      }
    }
  }

  @Test
  void masks_ofTwoLayers_moveBoth() {
    Output first = tf.maxPool(tf.relu(tf.biasAdd(x, bias)), 2, 2, Padding.SAME);
    Output second = tf.maxPool(tf.relu(tf.biasAdd(first, bias)), 2, 2, Padding.SAME);
    StepGraph graph = Steps.fetching(tf.graph(), gradient(second, x), gradient(second, bias));

    assertThat(PooledGradients.run(graph)).isGreaterThanOrEqualTo(3);
    WellFormed.require(graph);
    requireSame(second, x);
    requireSame(second, bias);
  }

  @Test
  void masks_ofSpreadThatIsFetched_doNotMove() {
    Output active = tf.relu(x);
    Output pooled = tf.maxPool(active, 2, 2, Padding.SAME);
    List<Output> both = Gradients.dense(tf, loss(pooled), List.of(active, x));
    StepGraph graph = Steps.fetching(tf.graph(), both.get(0), both.get(1));

    assertThat(PooledGradients.run(graph)).isZero();
  }

  @Test
  void masks_byAnotherImage_doNotMove() {
    Output spread = gradient(tf.maxPool(x, 2, 2, Padding.SAME), x);
    StepGraph graph = Steps.fetching(tf.graph(), reluGradient(spread, noise(2, 9, 7, 3)));

    assertThat(PooledGradients.run(graph)).isZero();
  }

  @Test
  void masks_behindSpreadOfOtherWindows_doNotMove() {
    Output pooled = tf.maxPool(x, 2, 2, Padding.SAME);
    Output spread =
        tf.scope()
            .operation("MaxPoolGrad")
            .input(x)
            .input(pooled)
            .input(pooled)
            .attr("ksize", List.of(1L, 3L, 3L, 1L))
            .attr("strides", List.of(1L, 2L, 2L, 1L))
            .attr("padding", "SAME")
            .buildOutput();
    StepGraph graph = Steps.fetching(tf.graph(), reluGradient(spread, x));

    assertThat(PooledGradients.run(graph)).isZero();
  }

  private void requireSame(Output pooled, Output input) {
    Output gradient = gradient(pooled, input);
    float[] expected = values(gradient, Set.of());
    assertThat(values(gradient, EnumSet.of(Rewrite.POOLED_GRADIENTS)))
        .as(pooled.operation().attributes().toString())
        .containsExactly(expected, within(1e-4f));
  }

  private float[] values(Output output, Set<Rewrite> rewrites) {
    SessionOptions options = SessionOptions.defaults().withRewrites(rewrites);
    try (Session session = Session.local(tf.graph(), options);
        StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).toFloats();
    }
  }

  private Output gradient(Output pooled, Output input) {
    return Gradients.dense(tf, loss(pooled), List.of(input)).get(0);
  }

  private Output loss(Output y) {
    return tf.sum(tf.mul(y, noise(y.shape().toArray())));
  }

  private Output noise(long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * 3);
    }
    return tf.constant(shape, values);
  }

  private static StepNode only(StepGraph graph, String op) {
    return graph.nodes().stream()
        .filter(node -> node.declaration().name().equals(op))
        .reduce(
            (first, second) -> {
              throw new AssertionError("more than one " + op);
            })
        .orElseThrow();
  }

  private Output reluGradient(Output gradients, Output features) {
    return tf.scope().operation("ReluGrad").input(gradients).input(features).buildOutput();
  }
}
