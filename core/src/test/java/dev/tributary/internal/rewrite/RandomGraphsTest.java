package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.graph.Output;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random graphs full of what rewrites look for give the same with all passes and with none. */
class RandomGraphsTest {
  /** So that values are large enough for loops to be fused. */
  private static final int SIZE = 8;

  private static final SessionOptions PLAIN = SessionOptions.defaults().withRewrites(Set.of());

  private final Ops tf = Ops.create();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void values_withAllPassesAndWithNone_areTheSame(long seed) {
    Random random = new Random(seed);
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, SIZE));
    List<Output> values = new ArrayList<>(List.of(x, tf.constant(noise(random, SIZE, SIZE))));
    for (int i = 0; i < 60; i++) {
      values.add(next(random, values));
    }
    List<Output> fetches = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      fetches.add(values.get(2 + random.nextInt(60)));
    }
    fetches.add(values.get(values.size() - 1));
    StepGraph graph = Steps.fetching(tf.graph(), fetches.toArray(new Output[0]));
    Simplification.run(graph);
    WellFormed.require(graph);
    CommonSubexpressions.run(graph);
    WellFormed.require(graph);
    Fusion.run(graph);
    WellFormed.require(graph);
    LoopFusion.run(graph);
    WellFormed.require(graph);

    try (Tensor feed = noise(random, SIZE, SIZE)) {
      List<float[]> expected = run(PLAIN, Map.of(x, feed), fetches);
      List<float[]> actual = run(SessionOptions.defaults(), Map.of(x, feed), fetches);
      for (int i = 0; i < expected.size(); i++) {
        assertThat(actual.get(i)).as("fetch %d", i).containsExactly(expected.get(i), within(1e-4f));
      }
    }
  }

  private Output next(Random random, List<Output> values) {
    // Mostly the latest value, so that chains arise; else any, so that nodes have other consumers.
    Output last = values.get(values.size() - 1);
    Output any = values.get(random.nextInt(values.size()));
    Output value = random.nextInt(4) > 0 ? last : any;
    switch (random.nextInt(14)) {
      case 0:
        return tf.tanh(tf.matMul(value, tf.constant(noise(random, SIZE, SIZE))));
      case 1:
        return tf.nn.relu6(biased(random, tf.matMul(value, any)));
      case 2:
        return tf.tanh(biased(random, tf.matMul(value, weights(random))));
      case 3:
        return tf.nn.elu(tf.tanh(biased(random, value)));
      case 4:
        return tf.identity(value);
      case 5:
        return tf.mul(value, tf.constant((float) random.nextInt(2)));
      case 6:
        return tf.add(tf.constant((float) random.nextInt(2)), value);
      case 7:
        return tf.neg(value);
      case 8:
        return tf.transpose(value, 1, 0);
      case 9:
        return tf.reshape(tf.reshape(value, 2, -1), -1, SIZE);
      case 10:
        return tf.tanh(tf.sub(value, any));
      case 11:
        return tf.addN(List.of(value));
      case 12:
        return tf.div(value, tf.constant(1f));
      default:
        return tf.relu(value);
    }
  }

  private Output biased(Random random, Output value) {
    Output bias = tf.constant(noise(random, SIZE));
    return random.nextBoolean() ? tf.biasAdd(value, bias) : tf.add(bias, value);
  }

  private Output weights(Random random) {
    return tf.constant(noise(random, SIZE, SIZE));
  }

  private List<float[]> run(
      SessionOptions options, Map<Output, Tensor> feeds, List<Output> fetches) {
    try (Session session = Session.local(tf.graph(), options);
        StepResult result = session.run(feeds, fetches, List.of())) {
      return result.stream().map(Tensor::toFloats).toList();
    }
  }

  private static Tensor noise(Random random, long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.of(shape, values);
  }
}
