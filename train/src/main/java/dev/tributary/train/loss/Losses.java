package dev.tributary.train.loss;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.train.variable.GraphKeys;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * TensorFlow 1's losses. Each loss joins the graph's collection {@code losses}, of which {@link
 * #total} is the sum. Immutable.
 *
 * <pre>{@code
 * Output loss = Losses.of(tf).sparseSoftmaxCrossEntropy(labels, logits);
 * Output weighted = Losses.of(tf).withWeights(w).withReduction(Reduction.MEAN).meanSquaredError(y, line);
 * }</pre>
 */
public final class Losses {
  private final Ops tf;
  private final Optional<Output> weights;
  private final Reduction reduction;
  private final double labelSmoothing;

  private Losses(Ops tf, Optional<Output> weights, Reduction reduction, double labelSmoothing) {
    this.tf = tf;
    this.weights = weights;
    this.reduction = reduction;
    this.labelSmoothing = labelSmoothing;
  }

  /** Losses without weights, in this scope. */
  public static Losses of(Ops tf) {
    return new Losses(tf, Optional.empty(), Reduction.SUM_BY_NONZERO_WEIGHTS, 0);
  }

  /** Multiplies the loss of each element; a scalar, or of a shape that broadcasts to the losses. */
  public Losses withWeights(Operand newWeights) {
    return new Losses(tf, Optional.of(newWeights.asOutput()), reduction, labelSmoothing);
  }

  public Losses withReduction(Reduction newReduction) {
    return new Losses(tf, weights, newReduction, labelSmoothing);
  }

  /** Moves the labels of cross entropies towards what knows nothing, by this share. */
  public Losses withLabelSmoothing(double share) {
    return new Losses(tf, weights, reduction, share);
  }

  /** Cross entropy of one class for each row; {@code onehotLabels} are probabilities. */
  public Output softmaxCrossEntropy(Operand onehotLabels, Operand logits) {
    Losses inner = within("softmax_cross_entropy_loss");
    Output labels = onehotLabels.asOutput();
    if (labelSmoothing > 0) {
      long classes = logits.asOutput().shape().size(logits.asOutput().shape().rank() - 1);
      labels =
          inner.tf.math.shift(
              inner.tf.math.scale(labels, 1 - labelSmoothing), labelSmoothing / classes);
    }
    return inner.weighted(inner.tf.nn.softmaxCrossEntropyWithLogits(labels, logits));
  }

  /** Cross entropy of one class for each row; {@code labels} are its numbers. */
  public Output sparseSoftmaxCrossEntropy(Operand labels, Operand logits) {
    Losses inner = within("sparse_softmax_cross_entropy_loss");
    return inner.weighted(inner.tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits));
  }

  /** Cross entropy of classes that do not exclude each other; labels are probabilities. */
  public Output sigmoidCrossEntropy(Operand multiClassLabels, Operand logits) {
    Losses inner = within("sigmoid_cross_entropy_loss");
    Output labels = multiClassLabels.asOutput();
    if (labelSmoothing > 0) {
      labels =
          inner.tf.math.shift(
              inner.tf.math.scale(labels, 1 - labelSmoothing), 0.5 * labelSmoothing);
    }
    return inner.weighted(sigmoidCrossEntropyWithLogits(inner.tf, labels, logits));
  }

  public Output meanSquaredError(Operand labels, Operand predictions) {
    Losses inner = within("mean_squared_error");
    return inner.weighted(inner.tf.squaredDifference(predictions, labels));
  }

  public Output absoluteDifference(Operand labels, Operand predictions) {
    Losses inner = within("absolute_difference");
    return inner.weighted(inner.tf.abs(inner.tf.sub(predictions, labels)));
  }

  /** {@code max(0, 1 - logits)} where the label is 1, {@code max(0, 1 + logits)} where it is 0. */
  public Output hingeLoss(Operand labels, Operand logits) {
    Losses inner = within("hinge_loss");
    Ops ops = inner.tf;
    Output signs = ops.math.shift(ops.math.scale(labels, 2), -1);
    Output margin = ops.sub(ops.constant(logits.asOutput().type(), 1), ops.mul(signs, logits));
    return inner.weighted(ops.relu(margin));
  }

  /** Cross entropy of probabilities. */
  public Output logLoss(Operand labels, Operand predictions) {
    Losses inner = within("log_loss");
    Ops ops = inner.tf;
    double epsilon = 1e-7;
    Output one = ops.constant(predictions.asOutput().type(), 1);
    Output ifTrue = ops.mul(labels, ops.log(ops.math.shift(predictions, epsilon)));
    Output ifFalse =
        ops.mul(ops.sub(one, labels), ops.log(ops.math.shift(ops.sub(one, predictions), epsilon)));
    return inner.weighted(ops.sub(ops.neg(ifTrue), ifFalse));
  }

  /** Weighs and reduces the losses of a batch, whatever they are. */
  public Output computeWeightedLoss(Operand losses) {
    return within("weighted_loss").weighted(losses);
  }

  /** The sum of all losses of the graph so far, those of regularizers included. */
  public static Output total(Ops tf) {
    Graph graph = tf.graph();
    List<Output> all =
        Stream.of(GraphKeys.LOSSES, GraphKeys.REGULARIZATION_LOSSES)
            .flatMap(name -> graph.collection(name).stream())
            .filter(Output.class::isInstance)
            .map(Output.class::cast)
            .toList();
    if (all.isEmpty()) {
      throw TributaryException.failedPrecondition("the graph has no losses");
    }
    return tf.withName("total_loss").addN(all);
  }

  private Losses within(String name) {
    return new Losses(tf.withSubScope(name), weights, reduction, labelSmoothing);
  }

  private Output weighted(Operand losses) {
    Output weighted =
        weights
            .map(w -> tf.mul(losses, sameType(w, losses.asOutput().type())))
            .orElse(losses.asOutput());
    Output loss = new WeightedSum(tf, losses.asOutput(), weights, weighted).reduced(reduction);
    tf.graph().addToCollection(GraphKeys.LOSSES, loss);
    return loss;
  }

  private Output sameType(Operand w, DataType type) {
    return tf.cast(w, type);
  }

  /** {@code max(x, 0) - x * z + log(1 + exp(-|x|))}, which does not overflow. */
  private static Output sigmoidCrossEntropyWithLogits(Ops tf, Operand labels, Operand logits) {
    Output positive = tf.sub(tf.relu(logits), tf.mul(logits, labels));
    Output rest = tf.math.log1p(tf.exp(tf.neg(tf.abs(logits))));
    return tf.add(positive, rest);
  }
}
