package dev.tributary.train.estimator;

import dev.tributary.train.optimizer.Optimizer;
import java.util.function.Supplier;

/** A regressor that ignores its features and learns the mean of the labels. */
public final class BaselineRegressor extends BaselineEstimator<BaselineRegressor> {
  private BaselineRegressor(
      EstimatorSettings settings,
      Head head,
      Head.Options headOptions,
      Supplier<? extends Optimizer> optimizer) {
    super(settings, head, headOptions, optimizer);
  }

  /** Returns a regressor of one number for each example. */
  public static BaselineRegressor of() {
    return of(1);
  }

  /**
   * @param labelDimension how many numbers each example has
   */
  public static BaselineRegressor of(int labelDimension) {
    return new BaselineRegressor(
        EstimatorSettings.defaults(),
        Head.regression(labelDimension),
        Head.Options.defaults(),
        FTRL);
  }

  @Override
  BaselineRegressor with(
      EstimatorSettings settings,
      Head.Options options,
      Supplier<? extends Optimizer> newOptimizer) {
    return new BaselineRegressor(settings, head(), options, newOptimizer);
  }
}
