package dev.tributary.gradients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.Sessions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Gradients through the eigenvalues and eigenvectors of matrices that are not symmetric. */
class EigTest {
  private static final int SIZE = 3;
  private static final double STEP = 1e-5;
  private static final double[] MATRIX = {1, 2, -1, 0.5, -3, 2, 4, 0.25, 2};

  private final Ops tf = Ops.create();
  private final Output flat = tf.placeholder(DataType.DOUBLE, Shape.of(SIZE * SIZE));
  private final Output matrix = tf.reshape(flat, SIZE, SIZE);

  @Test
  void gradient_ofEigenvalues_isThatOfTheTrace() {
    Output loss = tf.sum(tf.math.real(tf.square(tf.linalg.eigenvalues(matrix))));

    // The sum of the squares is the trace of the square.
    double[] turned = {2 * 1, 2 * 0.5, 2 * 4, 2 * 2, 2 * -3, 2 * 0.25, 2 * -1, 2 * 2, 2 * 2};
    requireGradient(loss, turned);
  }

  /** The loss depends neither on the order of the eigenvalues nor on the phase of the vectors. */
  @Test
  void gradient_ofEigenvectors_isTheSlope() {
    List<Output> found = tf.linalg.eig(matrix);
    Output weights = tf.constant(Shape.of(SIZE, 1), 1.0, 0.3, -2.0);
    Output lengths = tf.square(tf.math.complexAbs(found.get(1)));
    Output weighted = tf.sum(tf.mul(weights, lengths), 0);
    Output loss = tf.sum(tf.mul(tf.square(tf.math.complexAbs(found.get(0))), weighted));

    double[] slopes = new double[SIZE * SIZE];
    try (Session session = Sessions.local(tf.graph())) {
      for (int i = 0; i < slopes.length; i++) {
        double[] more = MATRIX.clone();
        double[] less = MATRIX.clone();
        more[i] += STEP;
        less[i] -= STEP;
        slopes[i] = (value(session, loss, more)[0] - value(session, loss, less)[0]) / (2 * STEP);
      }
    }
    requireGradient(loss, slopes);
  }

  private void requireGradient(Output loss, double[] wanted) {
    Output gradient = (Output) Gradients.of(loss, List.of(flat)).get(0);
    try (Session session = Sessions.local(tf.graph())) {
      assertThat(value(session, gradient, MATRIX)).containsExactly(wanted, within(1e-6));
    } finally {
      tf.graph().close();
    }
  }

  private double[] value(Session session, Output fetch, double[] fed) {
    return session.fetch(fetch, Feeds.of(flat, fed)).toDoubles();
  }
}
