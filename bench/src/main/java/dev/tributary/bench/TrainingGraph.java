package dev.tributary.bench;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphVariable;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A model of the course with its loss and one step of gradient descent, node by node what the peer
 * for stock TensorFlow builds, down to the seeds.
 */
final class TrainingGraph {
  private static final float LEARNING_RATE = 0.01f;

  private final Ops tf = Ops.create();
  private final VariableKind kind;
  private final List<Output> variables = new ArrayList<>();
  private final List<Output> reads = new ArrayList<>();
  private final List<Operation> initializers = new ArrayList<>();
  private final Output images;
  private final Output labels;
  private final Output loss;
  private final List<Operation> updates = new ArrayList<>();

  TrainingGraph(Model model, VariableKind kind) {
    this.kind = kind;
    images = tf.placeholder(DataType.FLOAT, model.images());
    labels = tf.placeholder(DataType.FLOAT, model.labels());
    Output logits =
        switch (model) {
          case MLP -> mlp();
          case CNN -> cnn();
        };
    loss = tf.reduce.mean(tf.nn.softmaxCrossEntropyWithLogits(labels, logits), 0);
    List<Output> gradients = Gradients.dense(tf, loss, reads);
    Output rate = tf.constant(LEARNING_RATE);
    for (int i = 0; i < gradients.size(); i++) {
      updates.add(tf.training.applyGradientDescent(variables.get(i), rate, gradients.get(i)));
    }
  }

  Ops ops() {
    return tf;
  }

  List<Output> feeds() {
    return List.of(images, labels);
  }

  Output loss() {
    return loss;
  }

  List<Operation> initializers() {
    return initializers;
  }

  List<Operation> updates() {
    return updates;
  }

  private Output mlp() {
    Output x = tf.nn.relu(dense(images, 512));
    x = tf.nn.relu(dense(x, 256));
    return dense(x, Model.CLASSES);
  }

  private Output cnn() {
    Output x = pool(convolution(images, 32));
    x = pool(convolution(x, 64));
    x = tf.array.reshape(x, x.shape().size(0), 7 * 7 * 64);
    x = tf.nn.relu(dense(x, 1024));
    return dense(x, Model.CLASSES);
  }

  private Output dense(Output x, long units) {
    long inputs = x.shape().size(1);
    return tf.nn.biasAdd(tf.linalg.matMul(x, weights(inputs, inputs, units)), zeros(units));
  }

  private Output convolution(Output x, long filters) {
    long channels = x.shape().size(3);
    Output y = tf.conv.conv2d(x, weights(25 * channels, 5, 5, channels, filters), 1, "SAME");
    return tf.nn.relu(tf.nn.biasAdd(y, zeros(filters)));
  }

  private Output pool(Output x) {
    return tf.conv.maxPool(x, 2, 2, "SAME");
  }

  private Output weights(long fanIn, long... sizes) {
    // The client's random ops would mix the seed with the graph's; here it is the op's own.
    Output normal =
        tf.scope()
            .operation("TruncatedNormal")
            .input(dimensions(sizes))
            .attr("dtype", DataType.FLOAT)
            .attr("seed", 1L + variables.size())
            .buildOutput();
    Output deviation = tf.constant((float) (1 / Math.sqrt(fanIn)));
    return variable(tf.math.mul(normal, deviation), sizes);
  }

  private Output zeros(long size) {
    return variable(tf.array.fill(dimensions(size), tf.constant(0f)), size);
  }

  private Output dimensions(long... sizes) {
    return tf.constant(Arrays.stream(sizes).mapToInt(Math::toIntExact).toArray());
  }

  /** Makes a variable; what reads it. */
  private Output variable(Output initial, long... sizes) {
    String name = "v" + variables.size();
    Output read =
        switch (kind) {
          case resource -> {
            GraphVariable variable = tf.variable(name, initial);
            variables.add(variable.handle());
            initializers.add(variable.initializer());
            yield variable.value();
          }
          case ref -> {
            Output variable = tf.withName(name).refs.variableV2(DataType.FLOAT, Shape.of(sizes));
            variables.add(variable);
            initializers.add(tf.refs.assign(variable, initial).operation());
            yield tf.array.identity(variable);
          }
        };
    reads.add(read);
    return read;
  }
}
