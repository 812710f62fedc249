package dev.tributary.train.estimator;

import dev.tributary.train.feature.FeatureColumn;
import java.util.List;

/**
 * A classifier by a network of fully connected layers. It is trained by Adagrad with rate 0.05
 * unless {@link #withOptimizer} says otherwise.
 *
 * <pre>{@code
 * DnnClassifier.of(columns, hiddenUnits(128, 64), classes(2)).withModelDir(folder)
 * }</pre>
 */
public final class DnnClassifier extends DnnEstimator<DnnClassifier> {
  private DnnClassifier(
      EstimatorSettings settings, Head head, Head.Options headOptions, DnnPart network) {
    super(settings, head, headOptions, network);
  }

  public static DnnClassifier of(
      List<? extends FeatureColumn> columns, HiddenUnits hiddenUnits, Classes classes) {
    return new DnnClassifier(
        EstimatorSettings.defaults(),
        Head.of(classes),
        Head.Options.defaults(),
        network(columns, hiddenUnits));
  }

  @Override
  DnnClassifier with(EstimatorSettings settings, Head.Options options, DnnPart newNetwork) {
    return new DnnClassifier(settings, head(), options, newNetwork);
  }
}
