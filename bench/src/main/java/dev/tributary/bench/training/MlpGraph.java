package dev.tributary.bench.training;

import dev.tributary.bench.Model;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.Losses;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.replica.SyncReplicasOptimizer;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.VariableScope;
import java.util.List;
import java.util.Optional;

/**
 * The course's mlp, 784-512-256-10 with batches of 128, as a user of the training library builds
 * it.
 *
 * @param train makes a step of gradient descent and counts it
 * @param sync the optimizer of synchronous training, which makes the hooks of workers
 */
record MlpGraph(
    Output images,
    Output labels,
    Output loss,
    Operation train,
    Optional<SyncReplicasOptimizer> sync) {
  private static final double LEARNING_RATE = 0.01;

  /**
   * @param replicas how many workers make each step together; empty if each makes its own
   */
  static MlpGraph build(Ops tf, Optional<Integer> replicas) {
    Output images = tf.placeholder(DataType.FLOAT, Model.MLP.images());
    Output labels = tf.placeholder(DataType.FLOAT, Model.MLP.labels());
    Variable step = GlobalStep.create(tf);
    VariableScope scope = VariableScope.of(tf);
    Dense hidden = Dense.of(512).withActivation(Activation.RELU);
    Output x = hidden.apply(scope.open("hidden1"), images);
    x = Dense.of(256).withActivation(Activation.RELU).apply(scope.open("hidden2"), x);
    Output logits = Dense.of((int) labels.shape().size(1)).apply(scope.open("logits"), x);
    Output loss = Losses.softmaxCrossEntropy(labels, logits);
    GradientDescentOptimizer descent = new GradientDescentOptimizer(LEARNING_RATE);
    if (replicas.isEmpty()) {
      Operation train = descent.minimize(tf, loss, step);
      return new MlpGraph(images, labels, loss, train, Optional.empty());
    }
    SyncReplicasOptimizer together =
        new SyncReplicasOptimizer(descent, replicas.get(), replicas.get());
    Operation train = together.minimize(tf, loss, step);
    return new MlpGraph(images, labels, loss, train, Optional.of(together));
  }

  List<Output> feeds() {
    return List.of(images, labels);
  }
}
