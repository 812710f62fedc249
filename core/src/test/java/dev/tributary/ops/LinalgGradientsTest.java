package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class LinalgGradientsTest {
  private static final double STEP = 1e-5;

  /**
   * The input is symmetric, so elements beside the diagonal change in pairs, and both carry half of
   * the slope.
   */
  @Test
  void cholesky_ofSymmetricMatrix_hasTheSlopeOfCentralDifferences() {
    double[] matrix = {5, 1, 0.5, 1, 6, -2, 0.5, -2, 7};
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.DOUBLE, Shape.of(3, 3));
    Output weights = tf.constant(Shape.of(3, 3), 1.0, 0, 0, 2, 3, 0, -1, 4, 5);
    Output loss = tf.sum(tf.mul(weights, tf.linalg.cholesky(x)));
    Output gradient = (Output) Gradients.of(tf, List.of(loss), List.of(x)).get(0);
    try (Session session = Session.local(tf.graph())) {
      double[] slopes = session.fetch(gradient, Feeds.of(x, rows(matrix))).toDoubles();
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
          double above = loss(session, x, loss, moved(matrix, i, j, STEP));
          double below = loss(session, x, loss, moved(matrix, i, j, -STEP));
          double pair = slopes[3 * i + j] + (i == j ? 0 : slopes[3 * j + i]);
          assertThat(pair).isCloseTo((above - below) / (2 * STEP), within(1e-6));
        }
      }
    }
  }

  /** Squares of vectors do not depend on the signs that a decomposition happens to choose. */
  @Test
  void selfAdjointEig_ofSymmetricMatrix_hasTheSlopeOfCentralDifferences() {
    requireSlopes(
        (tf, x) -> {
          List<Output> found = tf.linalg.selfAdjointEig(x);
          return tf.add(weighted(tf, tf.square(found.get(1))), tf.sum(tf.square(found.get(0))));
        });
  }

  @Test
  void svd_ofMatrix_hasTheSlopeOfCentralDifferences() {
    requireSlopes(
        (tf, x) -> {
          List<Output> found = tf.linalg.svd(x, false);
          Output vectors = tf.mul(tf.square(found.get(1)), tf.square(found.get(2)));
          return tf.add(weighted(tf, vectors), tf.sum(tf.square(found.get(0))));
        });
  }

  private static Output weighted(Ops tf, Output x) {
    return tf.sum(tf.mul(tf.constant(Shape.of(3, 3), 1.0, 7, -3, 2, 3, 4, -1, 4, 5), x));
  }

  private static void requireSlopes(BiFunction<Ops, Output, Output> function) {
    double[] matrix = {5, 1, 0.5, 1, 6, -2, 0.5, -2, 9};
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.DOUBLE, Shape.of(3, 3));
    Output loss = function.apply(tf, x);
    Output gradient = (Output) Gradients.of(tf, List.of(loss), List.of(x)).get(0);
    try (Session session = Session.local(tf.graph())) {
      double[] slopes = session.fetch(gradient, Feeds.of(x, rows(matrix))).toDoubles();
      for (int i = 0; i < slopes.length; i++) {
        double[] up = matrix.clone();
        double[] down = matrix.clone();
        up[i] += STEP;
        down[i] -= STEP;
        double slope = (loss(session, x, loss, up) - loss(session, x, loss, down)) / (2 * STEP);
        assertThat(slopes[i]).isCloseTo(slope, within(1e-5));
      }
    }
  }

  private static double loss(Session session, Output x, Output loss, double[] matrix) {
    return session.fetch(loss, Feeds.of(x, rows(matrix))).doubleValue();
  }

  private static double[][] rows(double[] matrix) {
    double[][] rows = new double[3][];
    for (int i = 0; i < 3; i++) {
      rows[i] = Arrays.copyOfRange(matrix, 3 * i, 3 * i + 3);
    }
    return rows;
  }

  private static double[] moved(double[] matrix, int i, int j, double step) {
    double[] copy = matrix.clone();
    copy[3 * i + j] += step;
    copy[3 * j + i] = copy[3 * i + j];
    return copy;
  }
}
