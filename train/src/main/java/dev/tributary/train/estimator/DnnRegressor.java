package dev.tributary.train.estimator;

import dev.tributary.train.feature.FeatureColumn;
import java.util.List;

/**
 * A regressor by a network of fully connected layers. It is trained by Adagrad with rate 0.05
 * unless {@link #withOptimizer} says otherwise.
 */
public final class DnnRegressor extends DnnEstimator<DnnRegressor> {
  private DnnRegressor(
      EstimatorSettings settings, Head head, Head.Options headOptions, DnnPart network) {
    super(settings, head, headOptions, network);
  }

  /** Returns a regressor of one number for each example. */
  public static DnnRegressor of(List<? extends FeatureColumn> columns, HiddenUnits hiddenUnits) {
    return of(columns, hiddenUnits, 1);
  }

  /**
   * @param labelDimension how many numbers each example has
   */
  public static DnnRegressor of(
      List<? extends FeatureColumn> columns, HiddenUnits hiddenUnits, int labelDimension) {
    return new DnnRegressor(
        EstimatorSettings.defaults(),
        Head.regression(labelDimension),
        Head.Options.defaults(),
        network(columns, hiddenUnits));
  }

  @Override
  DnnRegressor with(EstimatorSettings settings, Head.Options options, DnnPart newNetwork) {
    return new DnnRegressor(settings, head(), options, newNetwork);
  }
}
