package dev.tributary.app.digits;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphVariable;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A small convolutional network: two convolutions, the second and a larger image's first followed
 * by pooling, then two dense layers.
 *
 * @param images a batch of images, [n, height, width, 1], from 0 to 1
 * @param labels their digits, [n]
 * @param loss the mean cross entropy of the batch
 * @param correct how many images of the batch are recognised
 * @param train one step of Adam
 * @param initialize gives all variables their first values
 */
record DigitsNetwork(
    Output images,
    Output labels,
    Output loss,
    Output correct,
    Operation train,
    Operation initialize) {
  private static final int CLASSES = 10;

  static DigitsNetwork build(Ops tf, DigitData data, float learningRate) {
    int height = data.training().height();
    int width = data.training().width();
    Output images =
        tf.withName("images").placeholder(DataType.FLOAT, Shape.of(-1, height, width, 1));
    Output labels = tf.withName("labels").placeholder(DataType.INT32, Shape.of(-1));

    Output x = convolution(tf.withSubScope("conv1"), images, 16);
    // Pixels of the 8 x 8 images are large already: pooling them twice would leave too little.
    if (height > 16) {
      x = tf.conv.maxPool(x, 2, 2, "SAME");
    }
    x = convolution(tf.withSubScope("conv2"), x, 32);
    x = tf.conv.maxPool(x, 2, 2, "SAME");
    x = tf.array.reshape(x, -1, x.shape().size(1) * x.shape().size(2) * x.shape().size(3));
    x = tf.nn.relu(dense(tf.withSubScope("hidden"), x, 128));
    Output logits = dense(tf.withSubScope("logits"), x, CLASSES);

    Output loss =
        tf.withName("loss").reduce.mean(tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits));
    Output right = tf.nn.inTopK(logits, labels, 1);
    Output correct = tf.withName("correct").reduce.sum(tf.math.cast(right, DataType.INT32));
    Operation train = new Adam(tf.withSubScope("train"), learningRate).minimize(loss);
    Operation initialize = tf.withName("init").state.globalVariablesInitializer();
    return new DigitsNetwork(images, labels, loss, correct, train, initialize);
  }

  private static Output convolution(Ops tf, Output input, int filters) {
    long channels = input.shape().size(3);
    GraphVariable kernel = weights(tf, Shape.of(3, 3, channels, filters), 9 * channels);
    GraphVariable bias = tf.variable("bias", tf.constant(new float[filters]));
    Output convolved = tf.conv.conv2d(input, kernel.value(), 1, "SAME");
    return tf.nn.relu(tf.nn.biasAdd(convolved, bias.value()));
  }

  private static Output dense(Ops tf, Output input, int units) {
    long inputs = input.shape().size(1);
    GraphVariable kernel = weights(tf, Shape.of(inputs, units), inputs);
    GraphVariable bias = tf.variable("bias", tf.constant(new float[units]));
    return tf.nn.biasAdd(tf.linalg.matMul(input, kernel.value()), bias.value());
  }

  /** Weights that keep the size of signals through a layer of rectifiers (He's rule). */
  private static GraphVariable weights(Ops tf, Shape shape, long fanIn) {
    Output sizes = tf.array.constant(dev.tributary.tensor.Tensor.of(shape.toArray()));
    Output normal = tf.random.truncatedNormal(sizes, DataType.FLOAT);
    return tf.variable("kernel", tf.math.mul(normal, tf.constant((float) Math.sqrt(2.0 / fanIn))));
  }

  /** Adam's rule over all trainable variables of a graph. */
  private record Adam(Ops tf, float learningRate) {
    private static final float BETA1 = 0.9f;
    private static final float BETA2 = 0.999f;

    Operation minimize(Output loss) {
      List<GraphVariable> variables = GraphVariable.trainable(tf.graph());
      List<Output> handles = variables.stream().map(GraphVariable::handle).toList();
      List<Output> gradients =
          Gradients.of(tf, List.of(loss), handles).stream().map(Output.class::cast).toList();
      GraphVariable power1 = tf.state.untrainedVariable("beta1_power", tf.constant(BETA1));
      GraphVariable power2 = tf.state.untrainedVariable("beta2_power", tf.constant(BETA2));
      Output beta1 = tf.constant(BETA1);
      Output beta2 = tf.constant(BETA2);
      List<Operation> updates = new ArrayList<>();
      for (int i = 0; i < variables.size(); i++) {
        GraphVariable variable = variables.get(i);
        updates.add(
            tf.training.applyAdam(
                variable.handle(),
                slot(variable, "m").handle(),
                slot(variable, "v").handle(),
                power1.value(),
                power2.value(),
                tf.constant(learningRate),
                beta1,
                beta2,
                tf.constant(1e-8f),
                gradients.get(i),
                false));
      }
      Ops after = tf.withControlDependencies(updates.toArray(new Operation[0]));
      Operation next1 = power1.in(after).assign(after.math.mul(power1.value(), beta1));
      Operation next2 = power2.in(after).assign(after.math.mul(power2.value(), beta2));
      return tf.withControlDependencies(next1, next2).flow.noOp();
    }

    private GraphVariable slot(GraphVariable variable, String name) {
      return tf.state.untrainedVariable(
          variable.name() + "/" + name, tf.array.zerosLike(variable.initialValue()));
    }
  }
}
