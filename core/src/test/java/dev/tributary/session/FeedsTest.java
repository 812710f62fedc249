package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import dev.tributary.testing.NoLeaks;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.ndarray.NdArrays;

/** Values from the Java heap, fed and fetched. */
@NoLeaks
class FeedsTest {
  private final Ops tf = Ops.create();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  static List<Object> twoRows() {
    return List.of(
        new float[][] {{1, 2, 3}, {4, 5, 6}},
        NdArrays.ofFloats(org.tensorflow.ndarray.Shape.of(2, 3))
            .set(NdArrays.vectorOf(1f, 2f, 3f), 0)
            .set(NdArrays.vectorOf(4f, 5f, 6f), 1));
  }

  @ParameterizedTest
  @MethodSource("twoRows")
  void feed_arraysOfTwoDimensions_keepTheirShape(Object rows) {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, 3));
    try (Session session = Session.local(tf.graph())) {
      Value doubled = session.fetch(tf.add(x, x), Feeds.of(x, rows));
      assertThat(doubled.shape()).isEqualTo(Shape.of(2, 3));
      assertThat(doubled.toFloats()).containsExactly(2, 4, 6, 8, 10, 12);
      assertThat(doubled.getFloat(1, 2)).isEqualTo(12);
    }
  }

  @Test
  void feed_bufferScalarStringAndTensor_areFed() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output factor = tf.placeholder(DataType.FLOAT, Shape.scalar());
    Output text = tf.placeholder(DataType.STRING, Shape.of(-1));
    FloatBuffer buffer = FloatBuffer.wrap(new float[] {1, 2});
    try (Session session = Session.local(tf.graph());
        Tensor three = Tensor.scalar(3f)) {
      Feeds feeds = Feeds.of(x, buffer);
      assertThat(session.fetch(tf.mul(x, factor), feeds.and(factor, 2f)).toFloats())
          .containsExactly(2, 4);
      assertThat(session.fetch(tf.mul(x, factor), feeds.and(factor, three)).toFloats())
          .containsExactly(3, 6);
      assertThat(session.fetch(text, Feeds.of(text, new String[] {"a", "b"})).toStrings())
          .containsExactly("a", "b");
      assertThat(buffer.remaining()).isEqualTo(2);
    }
  }

  @Test
  void run_severalFetches_areThereByOperand() {
    Output x = tf.placeholder(DataType.INT32, Shape.of(-1));
    Output twice = tf.add(x, x);
    Output sum = tf.sum(x);
    try (Session session = Session.local(tf.graph());
        StepResult result = session.run(Feeds.of(x, new int[] {1, 2}), List.of(twice, sum))) {
      assertThat(result.get(sum).intValue()).isEqualTo(3);
      assertThat(result.get(twice).toInts()).containsExactly(2, 4);
      assertThatThrownBy(() -> result.get(x)).hasMessageContaining("was not fetched in this step");
    }
  }

  @Test
  void feed_rowsOfDifferentLengths_isRefused() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, -1));
    try (Session session = Session.local(tf.graph())) {
      assertThatThrownBy(() -> session.fetch(x, Feeds.of(x, new float[][] {{1, 2}, {3}})))
          .hasMessageContaining("rows of different lengths, 2 and 1");
    }
  }

  @Test
  void and_sameOperandTwice_isRefused() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    assertThatThrownBy(() -> Feeds.of(x, 1f).and(x, 2f)).hasMessageContaining("fed twice");
  }

  @Test
  void graph_unreachable_givesBackItsConstants() {
    // NoLeaks fails the test unless the collector brings back the constant.
    Ops.create().constant(new float[1000]);
  }
}
