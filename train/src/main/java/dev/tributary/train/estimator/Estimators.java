package dev.tributary.train.estimator;

/** Trains and evaluates estimators, by the same call in all tasks of a cluster and without one. */
public final class Estimators {
  private Estimators() {}

  /**
   * Plays this process's part in a training, as {@link RunConfig#task} names it: trains, evaluates
   * each new checkpoint and exports models, or holds variables. Without a cluster, training stops
   * for each evaluation. Returns when the training of the cluster has ended.
   *
   * <pre>{@code
   * Estimators.trainAndEvaluate(
   *     model,
   *     TrainSpec.of(trainInput).withMaxSteps(20_000),
   *     EvalSpec.of(testInput).withExporters(BestExporter.of("best", receiver)));
   * }</pre>
   */
  public static TrainingResult trainAndEvaluate(
      Estimator<?> estimator, TrainSpec train, EvalSpec evaluation) {
    ModelWatch watch = new ModelWatch(estimator, train, evaluation);
    return estimator.config().task().isLocal()
        ? new LocalTraining(estimator, train, watch).run()
        : new ClusterTraining(estimator, train, watch).run();
  }
}
