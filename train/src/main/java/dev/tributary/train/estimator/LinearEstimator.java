package dev.tributary.train.estimator;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.train.feature.Combiner;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.optimizer.FtrlOptimizer;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.VariableScope;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A linear model.
 *
 * @param <E> the kind of this estimator
 */
abstract class LinearEstimator<E extends LinearEstimator<E>> extends ReadyMadeEstimator<E> {
  private static final double LEARNING_RATE = 0.2;

  private final LinearPart linear;

  LinearEstimator(
      EstimatorSettings settings, Head head, Head.Options headOptions, LinearPart linear) {
    super(settings, head, headOptions);
    this.linear = linear;
  }

  static LinearPart linear(List<? extends FeatureColumn> columns) {
    return new LinearPart(
        List.copyOf(columns), Combiner.SUM, () -> new FtrlOptimizer(LEARNING_RATE));
  }

  abstract E with(EstimatorSettings settings, Head.Options options, LinearPart newLinear);

  @Override
  final E with(EstimatorSettings settings, Head.Options options) {
    return with(settings, options, linear);
  }

  /** Returns an estimator with another optimizer than Ftrl; each training makes a new one. */
  public final E withOptimizer(Supplier<? extends Optimizer> optimizer) {
    return with(settings(), headOptions(), linear.withOptimizer(optimizer));
  }

  /** Returns an estimator that combines several categories of a column in another way. */
  public final E withSparseCombiner(Combiner combiner) {
    return with(settings(), headOptions(), linear.withCombiner(combiner));
  }

  @Override
  final Output logits(VariableScope scope, Batch batch, ModelContext context, int units) {
    return linear.logits(scope, batch, context, units);
  }

  @Override
  final Operation minimize(VariableScope scope, Output loss, Variable globalStep) {
    return minimize(
        linear.optimizer().get(), scope.open(LinearPart.SCOPE), loss, Optional.of(globalStep));
  }
}
