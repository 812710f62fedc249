package dev.tributary.train.estimator;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.model.Activation;
import dev.tributary.train.optimizer.AdagradOptimizer;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.VariableScope;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A network of fully connected layers.
 *
 * @param <E> the kind of this estimator
 */
abstract class DnnEstimator<E extends DnnEstimator<E>> extends ReadyMadeEstimator<E> {
  private static final double LEARNING_RATE = 0.05;

  private final DnnPart network;

  DnnEstimator(EstimatorSettings settings, Head head, Head.Options headOptions, DnnPart network) {
    super(settings, head, headOptions);
    this.network = network;
  }

  static DnnPart network(List<? extends FeatureColumn> columns, HiddenUnits hiddenUnits) {
    return new DnnPart(
        List.copyOf(columns),
        hiddenUnits,
        Activation.RELU,
        0,
        false,
        () -> new AdagradOptimizer(LEARNING_RATE));
  }

  abstract E with(EstimatorSettings settings, Head.Options options, DnnPart newNetwork);

  @Override
  final E with(EstimatorSettings settings, Head.Options options) {
    return with(settings, options, network);
  }

  private E with(DnnPart newNetwork) {
    return with(settings(), headOptions(), newNetwork);
  }

  /** Returns an estimator with another optimizer than Adagrad; each training makes a new one. */
  public final E withOptimizer(Supplier<? extends Optimizer> optimizer) {
    return with(network.withOptimizer(optimizer));
  }

  /** Returns an estimator whose hidden layers have another activation than the rectifier. */
  public final E withActivation(Activation activation) {
    return with(network.withActivation(activation));
  }

  /** Returns an estimator that ignores a share of the hidden units in each training step. */
  public final E withDropout(double share) {
    return with(network.withDropout(share));
  }

  /** Returns an estimator with batch normalisation behind each hidden layer. */
  public final E withBatchNorm() {
    return with(network.withBatchNorm());
  }

  @Override
  final Output logits(VariableScope scope, Batch batch, ModelContext context, int units) {
    return network.logits(scope, batch, context, units);
  }

  @Override
  final Operation minimize(VariableScope scope, Output loss, Variable globalStep) {
    return minimize(
        network.optimizer().get(), scope.open(DnnPart.SCOPE), loss, Optional.of(globalStep));
  }
}
