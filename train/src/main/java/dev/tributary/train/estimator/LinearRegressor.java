package dev.tributary.train.estimator;

import dev.tributary.train.feature.FeatureColumn;
import java.util.List;

/**
 * A linear regressor. It is trained by Ftrl with rate 0.2 unless {@link #withOptimizer} says
 * otherwise.
 */
public final class LinearRegressor extends LinearEstimator<LinearRegressor> {
  private LinearRegressor(
      EstimatorSettings settings, Head head, Head.Options headOptions, LinearPart linear) {
    super(settings, head, headOptions, linear);
  }

  /** Returns a regressor of one number for each example. */
  public static LinearRegressor of(List<? extends FeatureColumn> columns) {
    return of(columns, 1);
  }

  /**
   * @param labelDimension how many numbers each example has
   */
  public static LinearRegressor of(List<? extends FeatureColumn> columns, int labelDimension) {
    return new LinearRegressor(
        EstimatorSettings.defaults(),
        Head.regression(labelDimension),
        Head.Options.defaults(),
        linear(columns));
  }

  @Override
  LinearRegressor with(EstimatorSettings settings, Head.Options options, LinearPart newLinear) {
    return new LinearRegressor(settings, head(), options, newLinear);
  }
}
