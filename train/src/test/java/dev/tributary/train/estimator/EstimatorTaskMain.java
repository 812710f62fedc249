package dev.tributary.train.estimator;

import static dev.tributary.train.estimator.Classes.classes;
import static dev.tributary.train.estimator.HiddenUnits.hiddenUnits;

import dev.tributary.train.feature.FeatureSpec;
import dev.tributary.train.hook.Interval;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A task of a cluster that trains a classifier, as {@code TF_CONFIG} says. Arguments: the folder
 * and the last step.
 */
final class EstimatorTaskMain {
  private EstimatorTaskMain() {}

  public static void main(String[] arguments) {
    RunConfig config =
        RunConfig.defaults()
            .withMaxWorkerDelay(Duration.ZERO)
            .withSaveCheckpoints(Interval.ofSteps(100))
            .withLogStepCountSteps(100);
    DnnClassifier model =
        DnnClassifier.of(Points.COLUMNS, hiddenUnits(8), classes(2))
            .withConfig(config)
            .withModelDir(Path.of(arguments[0]));
    var receiver = ServingInputReceiver.raw(FeatureSpec.of(Points.COLUMNS));
    TrainingResult result =
        Estimators.trainAndEvaluate(
            model,
            TrainSpec.of(Points.input(-1)).withMaxSteps(Long.parseLong(arguments[1])),
            EvalSpec.of(Points.input(1))
                .withDelays(Duration.ZERO, Duration.ofMillis(500))
                .withExporters(FinalExporter.of("final", receiver)));
    System.out.printf(
        "%s %d ended, exported %d%n",
        config.task().type(), config.task().index(), result.exports().size());
  }
}
