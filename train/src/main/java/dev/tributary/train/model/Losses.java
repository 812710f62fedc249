package dev.tributary.train.model;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.distribute.ReplicaContext;
import dev.tributary.train.variable.GraphKeys;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * TensorFlow 1's losses. Each loss joins the graph's collection {@code losses}, of which {@link
 * #total} is the sum.
 *
 * <pre>{@code
 * Output loss = Losses.sparseSoftmaxCrossEntropy(labels, logits);
 * Output weighted = Losses.meanSquaredError(y, line, LossOptions.defaults().withWeights(w));
 * }</pre>
 */
public final class Losses {
  private Losses() {}

  /** Returns the cross entropy of one class for each row; labels are probabilities. */
  public static Output softmaxCrossEntropy(Operand onehotLabels, Operand logits) {
    return softmaxCrossEntropy(onehotLabels, logits, LossOptions.defaults());
  }

  /** Returns the cross entropy of one class for each row; labels are probabilities. */
  public static Output softmaxCrossEntropy(
      Operand onehotLabels, Operand logits, LossOptions options) {
    Ops tf = options.scopeOf(logits.asOutput(), "softmax_cross_entropy_loss");
    Shape shape = logits.asOutput().shape();
    long classes = options.labelSmoothing() > 0 ? shape.size(shape.rank() - 1) : 1;
    Output labels = smooth(tf, onehotLabels, 1.0 / classes, options);
    return weighted(tf, tf.nn.softmaxCrossEntropyWithLogits(labels, logits), options);
  }

  /** Returns the cross entropy of one class for each row; labels are its numbers. */
  public static Output sparseSoftmaxCrossEntropy(Operand labels, Operand logits) {
    return sparseSoftmaxCrossEntropy(labels, logits, LossOptions.defaults());
  }

  /** Returns the cross entropy of one class for each row; labels are its numbers. */
  public static Output sparseSoftmaxCrossEntropy(
      Operand labels, Operand logits, LossOptions options) {
    Ops tf = options.scopeOf(logits.asOutput(), "sparse_softmax_cross_entropy_loss");
    return weighted(tf, tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits), options);
  }

  /** Returns the cross entropy of independent classes; labels are probabilities. */
  public static Output sigmoidCrossEntropy(Operand multiClassLabels, Operand logits) {
    return sigmoidCrossEntropy(multiClassLabels, logits, LossOptions.defaults());
  }

  /** Returns the cross entropy of independent classes; labels are probabilities. */
  public static Output sigmoidCrossEntropy(
      Operand multiClassLabels, Operand logits, LossOptions options) {
    Ops tf = options.scopeOf(logits.asOutput(), "sigmoid_cross_entropy_loss");
    Output labels = smooth(tf, multiClassLabels, 0.5, options);
    return weighted(tf, sigmoidCrossEntropyWithLogits(tf, labels, logits), options);
  }

  /** Returns the mean of the squares of the differences. */
  public static Output meanSquaredError(Operand labels, Operand predictions) {
    return meanSquaredError(labels, predictions, LossOptions.defaults());
  }

  /** Returns the mean of the squares of the differences. */
  public static Output meanSquaredError(Operand labels, Operand predictions, LossOptions options) {
    Ops tf = options.scopeOf(predictions.asOutput(), "mean_squared_error");
    return weighted(tf, tf.squaredDifference(predictions, labels), options);
  }

  /** Returns the mean of the absolute values of the differences. */
  public static Output absoluteDifference(Operand labels, Operand predictions) {
    return absoluteDifference(labels, predictions, LossOptions.defaults());
  }

  /** Returns the mean of the absolute values of the differences. */
  public static Output absoluteDifference(
      Operand labels, Operand predictions, LossOptions options) {
    Ops tf = options.scopeOf(predictions.asOutput(), "absolute_difference");
    return weighted(tf, tf.abs(tf.sub(predictions, labels)), options);
  }

  /** Returns {@code max(0, 1 - x)} where the label is 1, {@code max(0, 1 + x)} where it is 0. */
  public static Output hingeLoss(Operand labels, Operand logits) {
    return hingeLoss(labels, logits, LossOptions.defaults());
  }

  /** Returns {@code max(0, 1 - x)} where the label is 1, {@code max(0, 1 + x)} where it is 0. */
  public static Output hingeLoss(Operand labels, Operand logits, LossOptions options) {
    Ops tf = options.scopeOf(logits.asOutput(), "hinge_loss");
    Output signs = tf.math.shift(tf.math.scale(labels, 2), -1);
    Output margin = tf.sub(tf.constant(logits.asOutput().type(), 1), tf.mul(signs, logits));
    return weighted(tf, tf.relu(margin), options);
  }

  /** Returns the cross entropy of probabilities. */
  public static Output logLoss(Operand labels, Operand predictions) {
    return logLoss(labels, predictions, LossOptions.defaults());
  }

  /** Returns the cross entropy of probabilities. */
  public static Output logLoss(Operand labels, Operand predictions, LossOptions options) {
    Ops tf = options.scopeOf(predictions.asOutput(), "log_loss");
    double epsilon = 1e-7;
    Output one = tf.constant(predictions.asOutput().type(), 1);
    Output ifTrue = tf.mul(labels, tf.log(tf.math.shift(predictions, epsilon)));
    Output ifFalse =
        tf.mul(tf.sub(one, labels), tf.log(tf.math.shift(tf.sub(one, predictions), epsilon)));
    return weighted(tf, tf.sub(tf.neg(ifTrue), ifFalse), options);
  }

  /** Weighs and reduces the losses of a batch, whatever they are. */
  public static Output computeWeightedLoss(Operand losses, LossOptions options) {
    return weighted(options.scopeOf(losses.asOutput(), "weighted_loss"), losses, options);
  }

  /**
   * Returns the sum of the losses of examples, divided by the number of examples in the batches of
   * all replicas, which is taken to be that of this replica times the number of replicas. The sum
   * of it over the replicas is the mean.
   */
  public static Output computeAverageLoss(Ops tf, Operand perExampleLoss) {
    Output local = tf.cast(tf.size(perExampleLoss), perExampleLoss.asOutput().type());
    return average(tf, perExampleLoss, tf.math.scale(local, replicasInSync(tf)));
  }

  /**
   * Returns the sum of the losses of examples, divided by the number of examples in the batches of
   * all replicas. The sum of it over the replicas is the mean, also where the last batch is split
   * unequally.
   */
  public static Output computeAverageLoss(Ops tf, Operand perExampleLoss, long globalBatchSize) {
    if (globalBatchSize < 1) {
      throw TributaryException.invalidArgument(
          "the global batch size must be at least 1, got %d", globalBatchSize);
    }
    DataType type = perExampleLoss.asOutput().type();
    return average(tf, perExampleLoss, tf.constant(type, globalBatchSize));
  }

  private static Output average(Ops tf, Operand perExampleLoss, Output count) {
    Output sum = tf.sum(tf.reshape(perExampleLoss, -1), 0);
    return tf.withName("average_loss").math.divNoNan(sum, count);
  }

  /** Returns a loss that each replica adds to its own, divided by the number of replicas. */
  public static Output scaleRegularizationLoss(Ops tf, Operand loss) {
    return tf.math.scale(loss, 1.0 / replicasInSync(tf));
  }

  private static int replicasInSync(Ops tf) {
    return ReplicaContext.current(tf.graph()).map(ReplicaContext::numReplicasInSync).orElse(1);
  }

  /**
   * Returns the sum of all losses of the graph so far, those of regularizers included. In a replica
   * of a distribution strategy these are the losses on the replica's device.
   */
  public static Output total(Ops tf) {
    Graph graph = tf.graph();
    Optional<DeviceSpec> device =
        ReplicaContext.current(graph)
            .filter(replica -> replica.numReplicasInSync() > 1)
            .map(replica -> replica.tf().scope().plainDevice());
    List<Output> all =
        Stream.of(GraphKeys.LOSSES, GraphKeys.REGULARIZATION_LOSSES)
            .flatMap(name -> graph.collection(name).stream())
            .filter(Output.class::isInstance)
            .map(Output.class::cast)
            .filter(loss -> device.isEmpty() || loss.operation().device().equals(device.get()))
            .toList();
    if (all.isEmpty()) {
      throw TributaryException.failedPrecondition("the graph has no losses");
    }
    return tf.withName("total_loss").addN(all);
  }

  /** Moves labels towards a probability by the share of the options. */
  private static Output smooth(Ops tf, Operand labels, double towards, LossOptions options) {
    double share = options.labelSmoothing();
    return share > 0
        ? tf.math.shift(tf.math.scale(labels, 1 - share), share * towards)
        : labels.asOutput();
  }

  private static Output weighted(Ops tf, Operand losses, LossOptions options) {
    Output each = losses.asOutput();
    Output weighted =
        options.weights().map(w -> tf.mul(each, tf.cast(w, each.type()))).orElse(each);
    Output loss =
        new WeightedSum(tf, each, options.weights(), weighted).reduced(options.reduction());
    tf.graph().addToCollection(GraphKeys.LOSSES, loss);
    return loss;
  }

  /** {@code max(x, 0) - x * z + log(1 + exp(-|x|))}, which does not overflow. */
  private static Output sigmoidCrossEntropyWithLogits(Ops tf, Operand labels, Operand logits) {
    Output positive = tf.sub(tf.relu(logits), tf.mul(logits, labels));
    Output rest = tf.math.log1p(tf.exp(tf.neg(tf.abs(logits))));
    return tf.add(positive, rest);
  }
}
