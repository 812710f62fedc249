package dev.tributary.train.estimator;

import dev.tributary.train.feature.FeatureColumn;
import java.util.List;

/**
 * A classifier whose logits are those of a linear model and of a network, added: wide and deep.
 * Unless told otherwise, the linear model is trained by Ftrl and the network by Adagrad, at
 * TensorFlow's rates, which are small (0.005 and 0.001).
 *
 * <pre>{@code
 * DnnLinearCombinedClassifier.of(wide, deep, hiddenUnits(100, 50), classes(2)).withModelDir(folder)
 * }</pre>
 */
public final class DnnLinearCombinedClassifier
    extends DnnLinearCombinedEstimator<DnnLinearCombinedClassifier> {
  private DnnLinearCombinedClassifier(
      EstimatorSettings settings, Head head, Head.Options headOptions, Parts parts) {
    super(settings, head, headOptions, parts);
  }

  public static DnnLinearCombinedClassifier of(
      List<? extends FeatureColumn> linearColumns,
      List<? extends FeatureColumn> dnnColumns,
      HiddenUnits dnnHiddenUnits,
      Classes classes) {
    return new DnnLinearCombinedClassifier(
        EstimatorSettings.defaults(),
        Head.of(classes),
        Head.Options.defaults(),
        Parts.of(linearColumns, dnnColumns, dnnHiddenUnits));
  }

  @Override
  DnnLinearCombinedClassifier with(
      EstimatorSettings settings, Head.Options options, Parts newParts) {
    return new DnnLinearCombinedClassifier(settings, head(), options, newParts);
  }
}
