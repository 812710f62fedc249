package dev.tributary.train.estimator;

import java.util.Objects;

/**
 * An estimator with a model function of one's own.
 *
 * <pre>{@code
 * CustomEstimator model = CustomEstimator.of(modelFunction).withModelDir(folder);
 * }</pre>
 */
public final class CustomEstimator extends Estimator<CustomEstimator> {
  private final ModelFunction function;

  private CustomEstimator(ModelFunction function, EstimatorSettings settings) {
    super(settings);
    this.function = Objects.requireNonNull(function, "function");
  }

  public static CustomEstimator of(ModelFunction function) {
    return new CustomEstimator(function, EstimatorSettings.defaults());
  }

  @Override
  ModelFunction modelFunction() {
    return function;
  }

  @Override
  CustomEstimator with(EstimatorSettings settings) {
    return new CustomEstimator(function, settings);
  }
}
