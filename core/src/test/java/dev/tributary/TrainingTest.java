package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Small models learn: graph, gradients, updates and session together. */
class TrainingTest {
  private final Ops tf = Ops.create();
  private final Random random = new Random(5);

  @Test
  void perceptron_exclusiveOr_isLearned() {
    Output x = tf.constant(Shape.of(4, 2), 0f, 0f, 0f, 1f, 1f, 0f, 1f, 1f);
    Output labels = tf.constant(0, 1, 1, 0);
    Output hidden = tf.tanh(dense("hidden", x, 2, 8));
    Output logits = dense("logits", hidden, 8, 2);
    Output loss = tf.mean(tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits));

    Tensor last = train(loss, tf.argMax(logits, 1), 0.5f, 300);

    assertThat(last.toLongs()).containsExactly(0, 1, 1, 0);
  }

  @Test
  void convolution_brightestCorner_isLearned() {
    int pictures = 24;
    float[] pixels = new float[pictures * 36];
    int[] corners = new int[pictures];
    for (int i = 0; i < pictures; i++) {
      for (int j = 0; j < 36; j++) {
        pixels[36 * i + j] = random.nextFloat();
      }
      corners[i] = i % 4;
      pixels[36 * i + corners[i] % 2 * 3 + 7 + corners[i] / 2 * 18] += 2;
    }
    Output x = tf.constant(Shape.of(pictures, 6, 6, 1), pixels);
    Variable filter = parameter("filter", 0.5, 3, 3, 1, 4);
    Output features = tf.relu(tf.conv2d(x, filter.value(), 1, Padding.SAME));
    Output pooled = tf.maxPool(features, 3, 3, Padding.VALID);
    Output logits = dense("logits", tf.reshape(pooled, -1, 16), 16, 4);
    Output loss = tf.mean(tf.nn.sparseSoftmaxCrossEntropyWithLogits(tf.constant(corners), logits));

    Tensor last = train(loss, tf.cast(tf.argMax(logits, 1), DataType.INT32), 0.1f, 200);

    assertThat(last.toInts()).containsExactly(corners);
  }

  /** What the prediction is after the steps; each 50 of them must lower the loss. */
  private Tensor train(Output loss, Output prediction, float rate, int steps) {
    List<Variable> variables = Variable.trainable(tf.graph());
    List<Output> gradients =
        Gradients.dense(tf, loss, variables.stream().map(Variable::handle).toList());
    List<Operation> updates = new ArrayList<>();
    for (int i = 0; i < gradients.size(); i++) {
      updates.add(
          tf.training.applyGradientDescent(
              variables.get(i).handle(), tf.constant(rate), gradients.get(i)));
    }
    Operation step = tf.group(updates);
    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      float before = Float.POSITIVE_INFINITY;
      for (int i = 0; i < steps; i++) {
        try (StepResult result = session.runner().fetch(loss).target(step).run()) {
          if (i % 50 == 0) {
            assertThat(result.get(0).floatValue()).as("loss at step %d", i).isLessThan(before);
            before = result.get(0).floatValue();
          }
        }
      }
      try (StepResult result = session.runner().fetch(prediction).run()) {
        return result.get(0).retain();
      }
    }
  }

  private Output dense(String name, Output x, int from, int to) {
    Variable weights = parameter(name + "/weights", Math.sqrt(1.0 / from), from, to);
    Variable biases = parameter(name + "/biases", 0.1, to);
    return tf.biasAdd(tf.matMul(x, weights.value()), biases.value());
  }

  private Variable parameter(String name, double deviation, long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * deviation);
    }
    return tf.variable(name, tf.constant(shape, values));
  }
}
