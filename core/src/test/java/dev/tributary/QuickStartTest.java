package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphVariable;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * The program of the README, line for line; where that one prints the result, this one checks it.
 */
class QuickStartTest {
  @Test
  void program_ofTheReadme_fitsALine() {
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output y = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    GraphVariable w = tf.variable("w", tf.constant(0f));
    GraphVariable b = tf.variable("b", tf.constant(0f));
    Output line = tf.math.add(tf.math.mul(w.value(), x), b.value());
    Output loss = tf.reduce.mean(tf.math.squaredDifference(line, y));
    List<Output> gradients = Gradients.dense(tf, loss, List.of(w.handle(), b.handle()));
    Operation trainW =
        tf.training.applyGradientDescent(w.handle(), tf.constant(0.1f), gradients.get(0));
    Operation trainB =
        tf.training.applyGradientDescent(b.handle(), tf.constant(0.1f), gradients.get(1));
    Operation init = tf.state.globalVariablesInitializer();
    try (Session session = Session.local(tf.graph());
        Tensor xs = Tensor.of(0f, 1f, 2f, 3f);
        Tensor ys = Tensor.of(1f, 3f, 5f, 7f)) {
      session.run(init);
      for (int step = 0; step < 200; step++) {
        session.runner().feed(x, xs).feed(y, ys).target(trainW).target(trainB).run().close();
      }
      try (StepResult result = session.runner().fetch(w.value()).fetch(b.value()).run()) {
        assertThat(result.get(0).floatValue()).isCloseTo(2f, Offset.offset(0.01f));
        assertThat(result.get(1).floatValue()).isCloseTo(1f, Offset.offset(0.01f));
      }
    }
  }
}
