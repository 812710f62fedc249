package dev.tributary.train.estimator;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.feature.Combiner;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.model.Activation;
import dev.tributary.train.optimizer.AdagradOptimizer;
import dev.tributary.train.optimizer.FtrlOptimizer;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A linear model and a network, whose logits are added: wide and deep. Each part has an optimizer
 * of its own.
 *
 * @param <E> the kind of this estimator
 */
abstract class DnnLinearCombinedEstimator<E extends DnnLinearCombinedEstimator<E>>
    extends ReadyMadeEstimator<E> {
  private static final double DNN_LEARNING_RATE = 0.001;
  private static final double LINEAR_LEARNING_RATE = 0.005;

  /** Both parts. */
  record Parts(LinearPart linear, DnnPart network) {
    static Parts of(
        List<? extends FeatureColumn> linearColumns,
        List<? extends FeatureColumn> dnnColumns,
        HiddenUnits hiddenUnits) {
      double rate =
          Math.min(LINEAR_LEARNING_RATE, 1 / Math.sqrt(Math.max(1, linearColumns.size())));
      return new Parts(
          LinearEstimator.linear(linearColumns).withOptimizer(() -> new FtrlOptimizer(rate)),
          DnnEstimator.network(dnnColumns, hiddenUnits)
              .withOptimizer(() -> new AdagradOptimizer(DNN_LEARNING_RATE)));
    }
  }

  private final Parts parts;

  DnnLinearCombinedEstimator(
      EstimatorSettings settings, Head head, Head.Options headOptions, Parts parts) {
    super(settings, head, headOptions);
    this.parts = parts;
  }

  abstract E with(EstimatorSettings settings, Head.Options options, Parts newParts);

  @Override
  final E with(EstimatorSettings settings, Head.Options options) {
    return with(settings, options, parts);
  }

  private E with(LinearPart linear) {
    return with(settings(), headOptions(), new Parts(linear, parts.network));
  }

  private E with(DnnPart network) {
    return with(settings(), headOptions(), new Parts(parts.linear, network));
  }

  /** Returns an estimator with another optimizer of the linear model than Ftrl. */
  public final E withLinearOptimizer(Supplier<? extends Optimizer> optimizer) {
    return with(parts.linear.withOptimizer(optimizer));
  }

  /** Returns an estimator whose linear model combines several categories in another way. */
  public final E withLinearSparseCombiner(Combiner combiner) {
    return with(parts.linear.withCombiner(combiner));
  }

  /** Returns an estimator with another optimizer of the network than Adagrad. */
  public final E withDnnOptimizer(Supplier<? extends Optimizer> optimizer) {
    return with(parts.network.withOptimizer(optimizer));
  }

  /** Returns an estimator whose hidden layers have another activation than the rectifier. */
  public final E withDnnActivation(Activation activation) {
    return with(parts.network.withActivation(activation));
  }

  /** Returns an estimator that ignores a share of the hidden units in each training step. */
  public final E withDnnDropout(double share) {
    return with(parts.network.withDropout(share));
  }

  /** Returns an estimator with batch normalisation behind each hidden layer. */
  public final E withBatchNorm() {
    return with(parts.network.withBatchNorm());
  }

  /** A part without columns is left out. */
  @Override
  final Output logits(VariableScope scope, Batch batch, ModelContext context, int units) {
    if (parts.linear.columns().isEmpty()) {
      return parts.network.logits(scope, batch, context, units);
    }
    if (parts.network.columns().isEmpty()) {
      return parts.linear.logits(scope, batch, context, units);
    }
    return scope
        .tf()
        .add(
            parts.network.logits(scope, batch, context, units),
            parts.linear.logits(scope, batch, context, units));
  }

  /** Both parts follow the same loss; the step is counted behind both. */
  @Override
  final Operation minimize(VariableScope scope, Output loss, Variable globalStep) {
    List<Operation> trained =
        Stream.of(
                part(scope, loss, DnnPart.SCOPE, parts.network.optimizer()),
                part(scope, loss, LinearPart.SCOPE, parts.linear.optimizer()))
            .flatMap(Optional::stream)
            .toList();
    Ops after =
        scope
            .tf()
            .withControlDependencies(trained.toArray(new Operation[0]))
            .colocatedWith(globalStep.handle().operation());
    return globalStep.in(after).assignAdd(after.constant(1L));
  }

  private static Optional<Operation> part(
      VariableScope scope, Output loss, String name, Supplier<? extends Optimizer> optimizer) {
    List<Variable> own =
        Variables.trainable(loss.graph()).stream()
            .filter(variable -> variable.name().startsWith(name + "/"))
            .toList();
    return own.isEmpty()
        ? Optional.empty()
        : Optional.of(minimize(optimizer.get(), scope, loss, own, Optional.empty()));
  }
}
