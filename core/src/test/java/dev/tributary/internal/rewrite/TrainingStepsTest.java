package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rewrites find their patterns in steps that train, and train the same. */
class TrainingStepsTest {
  private final Ops tf = Ops.create();
  private final Random random = new Random(11);

  @Test
  void perceptron_trained_isFusedAndLearnsTheSame() {
    Output x = tf.constant(noise(1, 16, 10));
    Output hidden = tf.relu(dense("first", x, 10, 20));
    hidden = tf.tanh(dense("second", hidden, 20, 20));
    Output loss = loss(dense("logits", hidden, 20, 4), 16, 4);
    Operation step = training(loss);

    assertThat(fused(loss, step))
        .containsExactly(
            "_FusedMatMul [BiasAdd, Relu]",
            "_FusedMatMul [BiasAdd, Tanh]",
            "_FusedMatMul [BiasAdd]");
    requireSameLosses(loss, step);
  }

  @Test
  void convolution_trained_isFusedAndLearnsTheSame() {
    Output x = tf.constant(noise(1, 8, 8, 8, 1));
    Output pooled = tf.maxPool(convolution("first", x, 1, 4), 2, 2, Padding.SAME);
    pooled = tf.maxPool(convolution("second", pooled, 4, 6), 2, 2, Padding.SAME);
    Output loss = loss(dense("logits", tf.reshape(pooled, -1, 24), 24, 3), 8, 3);
    Operation step = training(loss);

    assertThat(fused(loss, step))
        .containsExactly(
            "_FusedConv2D [BiasAdd, Relu]",
            "_FusedConv2D [BiasAdd, Relu]",
            "_FusedMatMul [BiasAdd]");
    requireSameLosses(loss, step);
  }

  private List<String> fused(Output loss, Operation step) {
    StepGraph graph =
        Pruner.prune(tf.graph(), new StepSignature(List.of(), List.of(loss), List.of(step)));
    Fusion.run(graph);
    WellFormed.require(graph);
    List<String> found = new ArrayList<>();
    for (StepNode node : graph.nodes()) {
      if (node.declaration().name().startsWith("_Fused")) {
        found.add(node.declaration().name() + " " + node.attributes().strings("fused_ops"));
      }
    }
    return found;
  }

  private void requireSameLosses(Output loss, Operation step) {
    SessionOptions plain =
        SessionOptions.defaults().without(Rewrite.FUSION).without(Rewrite.SIMPLIFICATION);
    float[] expected = losses(plain, loss, step);
    assertThat(losses(SessionOptions.defaults(), loss, step))
        .containsExactly(expected, within(1e-4f));
    assertThat(expected[expected.length - 1]).isLessThan(expected[0] / 2);
  }

  private float[] losses(SessionOptions options, Output loss, Operation step) {
    float[] losses = new float[60];
    try (Session session = Session.local(tf.graph(), options)) {
      session.run(tf.globalVariablesInitializer());
      for (int i = 0; i < losses.length; i++) {
        try (StepResult result = session.runner().fetch(loss).target(step).run()) {
          losses[i] = result.get(0).floatValue();
        }
      }
    }
    return losses;
  }

  private Operation training(Output loss) {
    List<Variable> variables = Variable.trainable(tf.graph());
    List<Output> gradients =
        Gradients.dense(tf, loss, variables.stream().map(Variable::handle).toList());
    List<Operation> updates = new ArrayList<>();
    for (int i = 0; i < gradients.size(); i++) {
      updates.add(
          tf.training.applyGradientDescent(
              variables.get(i).handle(), tf.constant(0.2f), gradients.get(i)));
    }
    return tf.group(updates);
  }

  private Output loss(Output logits, int rows, int classes) {
    int[] labels = random.ints(rows, 0, classes).toArray();
    return tf.mean(tf.nn.sparseSoftmaxCrossEntropyWithLogits(tf.constant(labels), logits));
  }

  private Output dense(String name, Output x, int from, int to) {
    Output weights = parameter(name + "/weights", Math.sqrt(2.0 / from), from, to);
    return tf.biasAdd(tf.matMul(x, weights), parameter(name + "/biases", 0.1, to));
  }

  private Output convolution(String name, Output x, int from, int to) {
    Output filter = parameter(name + "/filter", 0.4, 3, 3, from, to);
    Output conv = tf.conv2d(x, filter, 1, Padding.SAME);
    return tf.relu(tf.biasAdd(conv, parameter(name + "/biases", 0.1, to)));
  }

  private Output parameter(String name, double deviation, long... sizes) {
    return tf.variable(name, tf.constant(noise(deviation, sizes))).value();
  }

  private Tensor noise(double deviation, long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * deviation);
    }
    return Tensor.of(shape, values);
  }
}
