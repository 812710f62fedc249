package dev.tributary.train.estimator;

import dev.tributary.train.optimizer.Optimizer;
import java.util.function.Supplier;

/** A classifier that ignores its features and learns how frequent each class is. */
public final class BaselineClassifier extends BaselineEstimator<BaselineClassifier> {
  private BaselineClassifier(
      EstimatorSettings settings,
      Head head,
      Head.Options headOptions,
      Supplier<? extends Optimizer> optimizer) {
    super(settings, head, headOptions, optimizer);
  }

  public static BaselineClassifier of(Classes classes) {
    return new BaselineClassifier(
        EstimatorSettings.defaults(), Head.of(classes), Head.Options.defaults(), FTRL);
  }

  @Override
  BaselineClassifier with(
      EstimatorSettings settings,
      Head.Options options,
      Supplier<? extends Optimizer> newOptimizer) {
    return new BaselineClassifier(settings, head(), options, newOptimizer);
  }
}
