package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.NnOps.BatchNorm;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableAggregation;
import dev.tributary.ops.VariableSynchronization;
import dev.tributary.tensor.Shape;
import dev.tributary.train.distribute.ReduceOp;
import dev.tributary.train.distribute.ReplicaContext;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Brings each channel, the last dimension, to mean {@code beta} and deviation {@code gamma}: in
 * training by the statistics of the batch, otherwise by their moving averages. Training adds two
 * operations that move the averages to the collection {@code update_ops}, to be run with each step.
 * Variables: {@code gamma}, {@code beta}, {@code moving_mean}, {@code moving_variance}.
 *
 * <p>In the replicas of a distribution strategy each replica takes the statistics of its own batch,
 * unless they are synchronized; the averages outside of the replicas are the mean of theirs.
 *
 * @param synchronizedOverReplicas whether all replicas together have one batch
 */
public record BatchNormalization(
    boolean training, double momentum, double epsilon, boolean synchronizedOverReplicas)
    implements Layer {
  /** A layer whose statistics are those of one replica's batch. */
  public BatchNormalization(boolean training, double momentum, double epsilon) {
    this(training, momentum, epsilon, false);
  }

  /** With TensorFlow's defaults: momentum 0.99, epsilon 0.001. */
  public static BatchNormalization of(boolean training) {
    return new BatchNormalization(training, 0.99, 1e-3);
  }

  /** Takes the statistics of the batches of all replicas together. */
  public BatchNormalization withSynchronization() {
    return new BatchNormalization(training, momentum, epsilon, true);
  }

  @Override
  public Output apply(VariableScope scope, Operand inputs) {
    long channels = Layer.channels("BatchNormalization", inputs.asOutput());
    VariableSpec gammas = spec("gamma", channels, inputs).withInitializer(Initializers.ones());
    VariableSpec betas = spec("beta", channels, inputs).withInitializer(Initializers.zeros());
    VariableSpec means =
        spec("moving_mean", channels, inputs).withInitializer(Initializers.zeros());
    VariableSpec variances =
        spec("moving_variance", channels, inputs).withInitializer(Initializers.ones());
    Variable gamma = scope.getVariable(gammas);
    Variable beta = scope.getVariable(betas);
    Variable mean = scope.getVariable(moving(means));
    Variable variance = scope.getVariable(moving(variances));
    Ops tf = scope.tf();
    boolean images = inputs.asOutput().shape().rank() == 4;
    if (!training) {
      return images
          ? tf.nn.fusedBatchNormInference(
              inputs, gamma.value(), beta.value(), mean.value(), variance.value(), (float) epsilon)
          : normalized(tf, inputs, gamma, beta, mean.value(), variance.value());
    }
    BatchNorm batch =
        images && !synchronizedOverReplicas
            ? tf.nn.fusedBatchNorm(inputs, gamma.value(), beta.value(), (float) epsilon)
            : overRows(tf, inputs, gamma, beta);
    tf.graph().addToCollection(GraphKeys.UPDATE_OPS, moved(tf, mean, batch.mean()));
    tf.graph().addToCollection(GraphKeys.UPDATE_OPS, moved(tf, variance, batch.variance()));
    return batch.y();
  }

  private static VariableSpec spec(String name, long channels, Operand inputs) {
    return VariableSpec.of(name, Shape.of(channels)).withType(inputs.asOutput().type());
  }

  private static VariableSpec moving(VariableSpec spec) {
    return spec.withoutTraining()
        .withCopies(VariableSynchronization.ON_READ, VariableAggregation.MEAN);
  }

  private BatchNorm overRows(Ops tf, Operand x, Variable gamma, Variable beta) {
    int[] axes = IntStream.range(0, x.asOutput().shape().rank() - 1).toArray();
    Optional<ReplicaContext> replica =
        ReplicaContext.current(tf.graph()).filter(present -> synchronizedOverReplicas);
    if (replica.isPresent()) {
      return overReplicas(tf, replica.get(), x, axes, gamma, beta);
    }
    Output mean = tf.mean(x, axes);
    Output variance = tf.mean(tf.squaredDifference(x, mean), axes);
    return new BatchNorm(normalized(tf, x, gamma, beta, mean, variance), mean, variance);
  }

  /** The mean square less the square of the mean, from sums over all replicas. */
  private BatchNorm overReplicas(
      Ops tf, ReplicaContext replica, Operand x, int[] axes, Variable gamma, Variable beta) {
    Output sum = tf.sum(x, axes);
    Output squares = tf.sum(tf.square(x), axes);
    Output elements = tf.cast(tf.div(tf.size(x), tf.size(sum)), sum.type());
    List<Output> all = replica.allReduce(ReduceOp.SUM, List.of(sum, squares, elements));
    Output mean = tf.div(all.get(0), all.get(2));
    Output variance = tf.sub(tf.div(all.get(1), all.get(2)), tf.square(mean));
    return new BatchNorm(normalized(tf, x, gamma, beta, mean, variance), mean, variance);
  }

  private Output normalized(
      Ops tf, Operand x, Variable gamma, Variable beta, Operand mean, Operand variance) {
    Output factor = tf.mul(tf.math.rsqrt(tf.math.shift(variance, epsilon)), gamma.value());
    return tf.add(tf.mul(x, factor), tf.sub(beta.value(), tf.mul(mean, factor)));
  }

  /** {@code average -= (1 - momentum) * (average - value)}, beside the average. */
  private Operation moved(Ops tf, Variable average, Operand value) {
    Ops beside = tf.colocatedWith(average.handle().operation());
    Output distance = beside.sub(average.value(), value);
    return average.in(beside).assignSub(beside.math.scale(distance, 1 - momentum));
  }
}
