package dev.tributary.app.digits;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.distribute.PerReplica;
import dev.tributary.train.distribute.ReduceOp;
import dev.tributary.train.distribute.Strategy;
import dev.tributary.train.distribute.StrategyScope;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.Conv2D;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.Flatten;
import dev.tributary.train.model.Losses;
import dev.tributary.train.model.Pooling2D;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import dev.tributary.train.optimizer.LearningRates;
import dev.tributary.train.replica.Consistency;
import dev.tributary.train.replica.ReplicatedOptimizer;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.Optional;

/**
 * A small convolutional network: two convolutions, the second and a larger image's first followed
 * by pooling, then two dense layers. It is there twice: as it is trained, and with the moving
 * averages of its variables.
 *
 * @param images a batch of images, [n, height, width, 1], from 0 to 1; the input's unless fed
 * @param labels their digits, [n]; likewise
 * @param loss the mean cross entropy of the batch
 * @param correct how many images of the batch are recognised
 * @param averageCorrect how many are by the averages
 * @param step the global step
 * @param rate the learning rate of the next step
 * @param trained makes one step of Adam, and gives the global step after it
 * @param replicas what training among other workers needs beside that; nothing under a strategy
 */
record DigitsNetwork(
    Output images,
    Output labels,
    Output loss,
    Output correct,
    Output averageCorrect,
    Output step,
    Output rate,
    Output trained,
    Optional<ReplicatedOptimizer> replicas) {
  static final String IMAGES = "images";
  static final double AVERAGE_DECAY = 0.99;

  private static final int CLASSES = 10;

  /**
   * @param rate Adam's learning rate at the start; it falls to nothing in a straight line
   * @param steps how many global steps the training has
   * @param workers how many train the network, as consistent as said
   */
  static DigitsNetwork build(
      Ops tf, DigitsInput input, float rate, long steps, Consistency consistency, int workers) {
    Output images = orFed(tf.withName(IMAGES), input.images());
    Output labels = orFed(tf.withName("labels"), input.labels());
    Variable globalStep = GlobalStep.create(tf);
    VariableScope scope = scope(tf);

    Output logits = logits(scope, images);
    Output loss = Losses.sparseSoftmaxCrossEntropy(labels, logits);
    ExponentialMovingAverage averages =
        new ExponentialMovingAverage(AVERAGE_DECAY, globalStep.value());
    Output falling = fallingRate(tf, globalStep, rate, steps);
    AdamOptimizer adam = new AdamOptimizer(falling);
    ReplicatedOptimizer optimizer =
        ReplicatedOptimizer.of(adam, consistency, workers)
            .withVariableAverages(averages, Variables.trainable(tf.graph()));
    Operation train = optimizer.minimize(tf, loss, globalStep);
    return new DigitsNetwork(
        images,
        labels,
        loss,
        correct(tf, labels, logits),
        correct(tf, labels, logits(averaged(scope, averages), images)),
        globalStep.value(),
        falling,
        globalStep.in(tf.withControlDependencies(train)).read(),
        Optional.of(optimizer));
  }

  /**
   * Builds the network for the replicas of a strategy.
   *
   * @param batch the images of a step, for all replicas together
   */
  static DigitsNetwork build(
      Ops tf, DigitsInput input, float rate, long steps, Strategy strategy, int batch) {
    Output images = orFed(tf.withName(IMAGES), input.images());
    Output labels = orFed(tf.withName("labels"), input.labels());
    try (StrategyScope open = strategy.scope(tf)) {
      Variable globalStep = GlobalStep.create(open.tf());
      VariableScope scope = scope(open.tf());
      Output falling = fallingRate(tf, globalStep, rate, steps);
      AdamOptimizer adam = new AdamOptimizer(falling);
      PerReplica<Output> labelsOf = strategy.split(labels);
      PerReplica<Output> losses =
          strategy.run(
              tf,
              strategy.split(images),
              (replica, own) -> {
                Output logits = logits(replica.in(scope), own);
                Output each =
                    replica
                        .tf()
                        .nn
                        .sparseSoftmaxCrossEntropyWithLogits(replica.local(labelsOf), logits);
                Output loss = Losses.computeAverageLoss(replica.tf(), each, batch);
                Operation update = adam.minimize(replica.tf(), loss, globalStep);
                return replica.tf().withControlDependencies(update).identity(loss);
              });
      Output loss = strategy.reduce(tf, ReduceOp.SUM, losses);
      ExponentialMovingAverage averages =
          new ExponentialMovingAverage(AVERAGE_DECAY, globalStep.value());
      Operation train =
          averages.apply(
              tf.withControlDependencies(loss.operation()), Variables.trainable(tf.graph()));
      return new DigitsNetwork(
          images,
          labels,
          loss,
          correct(tf, labels, logits(scope.withReuse(), images)),
          correct(tf, labels, logits(averaged(scope, averages), images)),
          globalStep.value(),
          falling,
          globalStep.in(tf.withControlDependencies(train)).read(),
          Optional.empty());
    }
  }

  /** The same for a batch of any size. */
  private static Output orFed(Ops tf, Output batch) {
    Shape one = batch.shape().slice(1, batch.shape().rank());
    return tf.array.placeholderWithDefault(batch, Shape.of(-1).concatenate(one));
  }

  /** Beside the counter: it need not go to a worker and back. */
  private static Output fallingRate(Ops tf, Variable globalStep, float rate, long steps) {
    Ops beside = tf.colocatedWith(globalStep.handle().operation());
    return LearningRates.polynomialDecay(beside, rate, globalStep.in(beside).read(), steps, 0, 1);
  }

  static VariableScope scope(Ops tf) {
    return VariableScope.of(tf).withInitializer(Initializers.heNormal());
  }

  /** The scope in which the averages of variables take their places. */
  static VariableScope averaged(VariableScope scope, ExponentialMovingAverage averages) {
    return scope.withReuse().withCustomGetter(variable -> averages.average(variable).orElseThrow());
  }

  static Output logits(VariableScope scope, Output images) {
    Conv2D convolution =
        Conv2D.of(16, 3).withStrides(1, Padding.SAME).withActivation(Activation.RELU);
    Pooling2D pooling = Pooling2D.max(2, 2, Padding.SAME);
    Output x = convolution.apply(scope.open("conv1"), images);
    // Pixels of the 8 x 8 images are large already: pooling them twice would leave too little.
    if (images.shape().size(1) > 16) {
      x = pooling.apply(scope, x);
    }
    x = convolution.withFilters(32).apply(scope.open("conv2"), x);
    x = new Flatten().apply(scope, pooling.apply(scope, x));
    x = Dense.of(128).withActivation(Activation.RELU).apply(scope.open("hidden"), x);
    return Dense.of(CLASSES).apply(scope.open("logits"), x);
  }

  static Output correct(Ops tf, Output labels, Output logits) {
    Output right = tf.nn.inTopK(logits, labels, 1);
    return tf.withName("correct").sum(tf.cast(right, DataType.INT32), 0);
  }
}
