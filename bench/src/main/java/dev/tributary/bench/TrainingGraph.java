package dev.tributary.bench;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A model of the course with its loss and one step of gradient descent, node by node what the peer
 * for stock TensorFlow builds, down to the seeds.
 */
final class TrainingGraph {
  private static final float LEARNING_RATE = 0.01f;

  private final Ops ps;
  private final Ops worker;
  private final VariableKind kind;
  private final List<CourseVariable> variables = new ArrayList<>();
  private final Output images;
  private final Output labels;
  private final Output loss;
  private final List<Operation> updates = new ArrayList<>();

  /** A graph whose images and labels are fed. */
  TrainingGraph(Model model, VariableKind kind, Replica replica) {
    this(
        model,
        kind,
        replica,
        worker ->
            List.of(
                worker.placeholder(DataType.FLOAT, model.images()),
                worker.placeholder(DataType.FLOAT, model.labels())));
  }

  /**
   * @param input adds what makes images and labels
   */
  TrainingGraph(
      Model model, VariableKind kind, Replica replica, Function<Ops, List<Output>> input) {
    Ops tf = Ops.create();
    this.ps = replica.ps(tf);
    this.worker = replica.worker(tf);
    this.kind = kind;
    List<Output> batch = input.apply(worker);
    images = batch.get(0);
    labels = batch.get(1);
    Output logits =
        switch (model) {
          case MLP -> mlp();
          case CNN -> cnn();
        };
    loss = worker.mean(worker.nn.softmaxCrossEntropyWithLogits(labels, logits), 0);
    List<Output> gradients =
        Gradients.dense(worker, loss, variables.stream().map(CourseVariable::value).toList());
    Output rate = ps.constant(LEARNING_RATE);
    for (int i = 0; i < gradients.size(); i++) {
      updates.add(
          ps.training.applyGradientDescent(variables.get(i).handle(), rate, gradients.get(i)));
    }
  }

  Ops ops() {
    return worker;
  }

  List<Output> feeds() {
    return List.of(images, labels);
  }

  Output loss() {
    return loss;
  }

  List<Operation> initializers() {
    return variables.stream().map(CourseVariable::initializer).toList();
  }

  List<Operation> updates() {
    return updates;
  }

  private Output mlp() {
    Output x = worker.relu(dense(images, 512));
    x = worker.relu(dense(x, 256));
    return dense(x, Model.CLASSES);
  }

  private Output cnn() {
    Output x = pool(convolution(images, 32));
    x = pool(convolution(x, 64));
    x = worker.reshape(x, x.shape().size(0), 7 * 7 * 64);
    x = worker.relu(dense(x, 1024));
    return dense(x, Model.CLASSES);
  }

  private Output dense(Output x, long units) {
    long inputs = x.shape().size(1);
    return worker.biasAdd(worker.matMul(x, weights(inputs, inputs, units)), zeros(units));
  }

  private Output convolution(Output x, long filters) {
    long channels = x.shape().size(3);
    Output y = worker.conv2d(x, weights(25 * channels, 5, 5, channels, filters), 1, Padding.SAME);
    return worker.relu(worker.biasAdd(y, zeros(filters)));
  }

  private Output pool(Output x) {
    return worker.maxPool(x, 2, 2, Padding.SAME);
  }

  private Output weights(long fanIn, long... sizes) {
    // The client's random ops would mix the seed with the graph's; here it is the op's own.
    Output normal =
        ps.scope()
            .operation("TruncatedNormal")
            .input(dimensions(sizes))
            .attr("dtype", DataType.FLOAT)
            .attr("seed", 1L + variables.size())
            .buildOutput();
    Output deviation = ps.constant((float) (1 / Math.sqrt(fanIn)));
    return variable(ps.mul(normal, deviation));
  }

  private Output zeros(long size) {
    return variable(ps.fill(dimensions(size), ps.constant(0f)));
  }

  private Output dimensions(long... sizes) {
    return ps.constant(Arrays.stream(sizes).mapToInt(Math::toIntExact).toArray());
  }

  /** Makes a variable; what reads it. */
  private Output variable(Output initial) {
    variables.add(new CourseVariable(ps, kind, "v" + variables.size(), initial));
    return variables.get(variables.size() - 1).value();
  }
}
