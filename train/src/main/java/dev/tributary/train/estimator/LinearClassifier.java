package dev.tributary.train.estimator;

import dev.tributary.train.feature.FeatureColumn;
import java.util.List;

/**
 * A linear classifier: logistic regression. It is trained by Ftrl with rate 0.2 unless {@link
 * #withOptimizer} says otherwise.
 *
 * <pre>{@code
 * LinearClassifier.of(columns, classes(2)).withModelDir(folder)
 * }</pre>
 */
public final class LinearClassifier extends LinearEstimator<LinearClassifier> {
  private LinearClassifier(
      EstimatorSettings settings, Head head, Head.Options headOptions, LinearPart linear) {
    super(settings, head, headOptions, linear);
  }

  public static LinearClassifier of(List<? extends FeatureColumn> columns, Classes classes) {
    return new LinearClassifier(
        EstimatorSettings.defaults(), Head.of(classes), Head.Options.defaults(), linear(columns));
  }

  @Override
  LinearClassifier with(EstimatorSettings settings, Head.Options options, LinearPart newLinear) {
    return new LinearClassifier(settings, head(), options, newLinear);
  }
}
