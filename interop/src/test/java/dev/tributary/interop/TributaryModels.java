package dev.tributary.interop;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Graph;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Small models built with Tributary's own API, its gradients and updates included, for Tributary
 * and stock to train side by side. Confined to one thread.
 */
final class TributaryModels {
  /** A model as our objects, and as the message made of them. */
  record Built(Graph graph, StockModel model) {}

  private static final int CLASSES = 5;

  private final Ops tf = Ops.create();
  private final Random random = new Random(21);

  private TributaryModels() {}

  /** A perceptron of 20-16-8-5 units with class numbers as labels. */
  static Built perceptron() {
    return new TributaryModels().buildPerceptron();
  }

  /**
   * 8x8 pictures through two convolutions, maximum and average pools, and a dense layer; rows as
   * labels.
   */
  static Built convolutional() {
    return new TributaryModels().buildConvolutional();
  }

  /** Four words of five features each through a recurrent layer, which is a while loop. */
  static Built recurrent() {
    return new TributaryModels().buildRecurrent();
  }

  /** Twenty words looked up in a table, which gets sparse updates; the dense layer has momentum. */
  static Built embedding() {
    return new TributaryModels().buildEmbedding();
  }

  private Built buildPerceptron() {
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1, 20));
    Output labels = tf.withName("labels").placeholder(DataType.INT32, Shape.of(-1));
    Output hidden1 = tf.relu(dense("hidden1", x, 20, 16));
    Output hidden2 = tf.tanh(dense("hidden2", hidden1, 16, 8));
    Output logits = dense("logits", hidden2, 8, CLASSES);
    return trained(
        x, labels, logits, tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits), 0.2f);
  }

  private Built buildConvolutional() {
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1, 8, 8, 1));
    Output labels = tf.withName("labels").placeholder(DataType.FLOAT, Shape.of(-1, CLASSES));
    Output pooled = tf.maxPool(tf.relu(convolution("conv1", x, 1, 8)), 2, 2, Padding.SAME);
    Output second = tf.avgPool(tf.nn.elu(convolution("conv2", pooled, 8, 16)), 2, 2, Padding.VALID);
    Output logits = dense("logits", tf.reshape(second, -1, 2 * 2 * 16), 2 * 2 * 16, CLASSES);
    return trained(x, labels, logits, tf.nn.softmaxCrossEntropyWithLogits(labels, logits), 0.05f);
  }

  private Built buildRecurrent() {
    int words = 4;
    int features = 5;
    int units = 6;
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1, words, features));
    Output labels = tf.withName("labels").placeholder(DataType.INT32, Shape.of(-1));
    Output weights = parameter("cell/weights", 0.4, features + units, units).value();
    Output biases = parameter("cell/biases", 0.1, units).value();
    Output start = tf.matMul(tf.array.at(tf.transpose(x, 1, 0, 2), 0), zeros(features, units));
    Output last =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), start),
                (cond, state) -> cond.less(state.get(0), cond.constant(words)),
                (body, state) -> {
                  Output word = body.gather(x, state.get(0), 1);
                  Output joined = body.concat(1, word, state.get(1));
                  Output sum = body.biasAdd(body.matMul(joined, weights), biases);
                  return List.of(body.add(state.get(0), body.constant(1)), body.tanh(sum));
                })
            .get(1);
    Output logits = dense("logits", last, units, CLASSES);
    return trained(
        x, labels, logits, tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits), 0.3f);
  }

  private Built buildEmbedding() {
    int rows = 16;
    int width = 4;
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1, 20));
    Output labels = tf.withName("labels").placeholder(DataType.INT32, Shape.of(-1));
    Output scaled = tf.math.floor(tf.math.shift(tf.math.scale(x, 2), 4));
    Output ids =
        tf.cast(
            tf.math.clipByValue(scaled, tf.constant(0f), tf.constant(rows - 1f)), DataType.INT32);
    Variable table = parameter("table", 0.5, rows, width);
    Output found = tf.state.resourceGather(table.handle(), ids, DataType.FLOAT);
    Output logits = dense("logits", tf.reshape(found, -1, 20 * width), 20 * width, CLASSES);
    Output losses = tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits);
    return trained(x, labels, logits, losses, 0.1f, momentum(0.1f));
  }

  private Output zeros(long... sizes) {
    return Constants.taking(tf, Tensor.zeros(DataType.FLOAT, Shape.of(sizes)));
  }

  private Output dense(String name, Output x, int from, int to) {
    Variable weights = parameter(name + "/weights", Math.sqrt(2.0 / from), from, to);
    Variable biases = parameter(name + "/biases", 0.1, to);
    return tf.biasAdd(tf.matMul(x, weights.value()), biases.value());
  }

  private Output convolution(String name, Output x, int from, int to) {
    Variable filter = parameter(name + "/filter", Math.sqrt(2.0 / (9 * from)), 3, 3, from, to);
    Variable biases = parameter(name + "/biases", 0.1, to);
    return tf.biasAdd(tf.conv2d(x, filter.value(), 1, Padding.SAME), biases.value());
  }

  private Variable parameter(String name, double deviation, long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * deviation);
    }
    return tf.variable(name, tf.constant(shape, values));
  }

  private Built trained(Output x, Output labels, Output logits, Output losses, float rate) {
    Update descent =
        (ops, variable, gradient) ->
            ops.training.applyGradientDescent(variable.handle(), tf.constant(rate), gradient);
    return trained(x, labels, logits, losses, rate, descent);
  }

  private Built trained(
      Output x, Output labels, Output logits, Output losses, float rate, Update dense) {
    Output loss = tf.withName("loss").mean(losses);
    List<Variable> variables = Variable.trainable(tf.graph());
    List<GradientValue> gradients =
        Gradients.of(tf, List.of(loss), variables.stream().map(Variable::handle).toList());
    List<Output> values = gradients.stream().map(TributaryModels::values).toList();
    Ops after =
        tf.withControlDependencies(
            values.stream().map(Output::operation).toArray(Operation[]::new));
    List<Operation> updates = new ArrayList<>();
    for (int i = 0; i < gradients.size(); i++) {
      Variable variable = variables.get(i);
      if (gradients.get(i) instanceof IndexedSlices slices) {
        Output step = after.math.scale(slices.values(), rate);
        updates.add(after.state.resourceScatterSub(variable.handle(), slices.indices(), step));
      } else {
        updates.add(dense.add(after, variable, values.get(i)));
      }
    }
    Operation train = tf.withName("train").group(updates);
    Operation init = tf.globalVariablesInitializer();
    StockModel model =
        new StockModel(
            GraphDefs.toProto(tf.graph()),
            init.name(),
            train.name(),
            loss.name(),
            logits.name(),
            x.name(),
            labels.name(),
            Variable.all(tf.graph()).stream().map(variable -> variable.value().name()).toList(),
            values.stream().map(Output::name).toList(),
            x.shape().slice(1, x.shape().rank()),
            CLASSES,
            labels.type() == DataType.INT32);
    return new Built(tf.graph(), model);
  }

  private Update momentum(float rate) {
    return (ops, variable, gradient) -> {
      Output zeros = Constants.taking(tf, Tensor.zeros(DataType.FLOAT, variable.shape()));
      Variable slot = tf.state.untrainedVariable(variable.name() + "/Momentum", zeros);
      return ops.training.applyMomentum(
          variable.handle(), slot.handle(), tf.constant(rate), gradient, tf.constant(0.5f), true);
    };
  }

  private static Output values(GradientValue gradient) {
    return gradient instanceof IndexedSlices slices ? slices.values() : (Output) gradient;
  }

  /** Adds the operation that changes a variable by its gradient. */
  private interface Update {
    Operation add(Ops ops, Variable variable, Output gradient);
  }
}
