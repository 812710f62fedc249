package dev.tributary.train.estimator;

import dev.tributary.train.feature.FeatureColumn;
import java.util.List;

/** A regressor whose predictions are those of a linear model and of a network, added. */
public final class DnnLinearCombinedRegressor
    extends DnnLinearCombinedEstimator<DnnLinearCombinedRegressor> {
  private DnnLinearCombinedRegressor(
      EstimatorSettings settings, Head head, Head.Options headOptions, Parts parts) {
    super(settings, head, headOptions, parts);
  }

  /** Returns a regressor of one number for each example. */
  public static DnnLinearCombinedRegressor of(
      List<? extends FeatureColumn> linearColumns,
      List<? extends FeatureColumn> dnnColumns,
      HiddenUnits dnnHiddenUnits) {
    return of(linearColumns, dnnColumns, dnnHiddenUnits, 1);
  }

  /**
   * @param labelDimension how many numbers each example has
   */
  public static DnnLinearCombinedRegressor of(
      List<? extends FeatureColumn> linearColumns,
      List<? extends FeatureColumn> dnnColumns,
      HiddenUnits dnnHiddenUnits,
      int labelDimension) {
    return new DnnLinearCombinedRegressor(
        EstimatorSettings.defaults(),
        Head.regression(labelDimension),
        Head.Options.defaults(),
        Parts.of(linearColumns, dnnColumns, dnnHiddenUnits));
  }

  @Override
  DnnLinearCombinedRegressor with(
      EstimatorSettings settings, Head.Options options, Parts newParts) {
    return new DnnLinearCombinedRegressor(settings, head(), options, newParts);
  }
}
