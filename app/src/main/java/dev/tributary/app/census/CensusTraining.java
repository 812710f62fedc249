package dev.tributary.app.census;

import static dev.tributary.train.estimator.Classes.classes;
import static dev.tributary.train.estimator.HiddenUnits.hiddenUnits;

import dev.tributary.app.http.Monitoring;
import dev.tributary.train.estimator.DnnLinearCombinedClassifier;
import dev.tributary.train.estimator.Estimators;
import dev.tributary.train.estimator.EvalSpec;
import dev.tributary.train.estimator.Evaluation;
import dev.tributary.train.estimator.InputFunction;
import dev.tributary.train.estimator.RunConfig;
import dev.tributary.train.estimator.TrainSpec;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.model.LossOptions.Reduction;
import dev.tributary.train.optimizer.AdagradOptimizer;
import dev.tributary.train.optimizer.FtrlOptimizer;
import java.time.Duration;
import java.util.Optional;

/**
 * The training of a wide and deep classifier, by one process or by the task of a cluster that
 * {@code TF_CONFIG} says.
 *
 * @param epochs passes over the training data, by all workers together
 */
record CensusTraining(CensusData data, int epochs, int batch, int seed, RunConfig config) {
  private static final double LINEAR_RATE = 0.05;
  private static final double DEEP_RATE = 0.05;
  private static final int SHUFFLED = 10_000;
  private static final int TEST_BATCH = 1_000;
  private static final int CHECKPOINTS = 5;
  private static final Duration THROTTLE = Duration.ofSeconds(10);

  /** The model, with its files in the folder that the configuration says. */
  DnnLinearCombinedClassifier model() {
    long between = Math.max(1, steps() / CHECKPOINTS);
    return DnnLinearCombinedClassifier.of(
            CensusColumns.wide(), CensusColumns.deep(), hiddenUnits(64, 32), classes(2))
        .withLinearOptimizer(() -> new FtrlOptimizer(LINEAR_RATE))
        .withDnnOptimizer(() -> new AdagradOptimizer(DEEP_RATE))
        .withLossReduction(Reduction.SUM_OVER_BATCH_SIZE)
        .withConfig(config.withSeed(seed).withSaveCheckpoints(Interval.ofSteps(between)));
  }

  /** The global step at which the training ends. */
  long steps() {
    return Math.max(1, (long) epochs * data.training().size() / batch);
  }

  /** Plays the part of this process; returns its last evaluation if that is its part. */
  Optional<Evaluation> run(Monitoring monitoring) {
    return Estimators.trainAndEvaluate(
            model(),
            TrainSpec.of(training()).withMaxSteps(steps()).withHook(new MeteredSteps(monitoring)),
            EvalSpec.of(test()).withAllSteps().withDelays(Duration.ZERO, THROTTLE))
        .evaluation();
  }

  /** Evaluates the latest checkpoint on all test data. */
  Evaluation evaluate() {
    return model().evaluate(test());
  }

  private InputFunction training() {
    return InputFunction.of(
        parameters ->
            data.training()
                .dataset()
                .shuffle(SHUFFLED, seed + parameters.inputContext().inputPipelineId())
                .repeat()
                .batch(batch)
                .prefetch(2));
  }

  private InputFunction test() {
    return InputFunction.of(() -> data.test().dataset().batch(TEST_BATCH));
  }
}
