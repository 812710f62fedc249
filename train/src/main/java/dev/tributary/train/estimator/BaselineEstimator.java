package dev.tributary.train.estimator;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SparseTensor;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.feature.Features;
import dev.tributary.train.optimizer.FtrlOptimizer;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A model that ignores its features and learns the mean of the labels: the least that another model
 * must be better than.
 *
 * @param <E> the kind of this estimator
 */
abstract class BaselineEstimator<E extends BaselineEstimator<E>> extends ReadyMadeEstimator<E> {
  static final Supplier<Optimizer> FTRL = () -> new FtrlOptimizer(0.3);

  private final Supplier<? extends Optimizer> optimizer;

  BaselineEstimator(
      EstimatorSettings settings,
      Head head,
      Head.Options headOptions,
      Supplier<? extends Optimizer> optimizer) {
    super(settings, head, headOptions);
    this.optimizer = optimizer;
  }

  abstract E with(
      EstimatorSettings settings, Head.Options options, Supplier<? extends Optimizer> newOptimizer);

  @Override
  final E with(EstimatorSettings settings, Head.Options options) {
    return with(settings, options, optimizer);
  }

  /** Returns an estimator with another optimizer than Ftrl; each training makes a new one. */
  public final E withOptimizer(Supplier<? extends Optimizer> newOptimizer) {
    return with(settings(), headOptions(), newOptimizer);
  }

  @Override
  final Output logits(VariableScope scope, Batch batch, ModelContext context, int units) {
    VariableScope inner = scope.open("baseline");
    Output bias = inner.getVariable("bias", Shape.of(units), Initializers.zeros()).value();
    Ops tf = inner.tf();
    Output ones =
        tf.fill(tf.stack(batchSize(tf, batch.features()), tf.constant(1)), tf.constant(1f));
    return tf.mul(ones, bias);
  }

  private static Output batchSize(Ops tf, Features features) {
    String any = features.names().first();
    if (features.isSparse(any)) {
      SparseTensor sparse = features.sparse(any);
      Output size = tf.slice(sparse.shape(), new int[] {0}, new int[] {1});
      return tf.cast(tf.reshape(size), DataType.INT32);
    }
    return tf.reshape(tf.slice(tf.shape(features.dense(any)), new int[] {0}, new int[] {1}));
  }

  @Override
  final Operation minimize(VariableScope scope, Output loss, Variable globalStep) {
    return minimize(optimizer.get(), scope, loss, Optional.of(globalStep));
  }
}
