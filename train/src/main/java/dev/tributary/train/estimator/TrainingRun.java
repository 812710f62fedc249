package dev.tributary.train.estimator;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.LoggingTensorHook;
import dev.tributary.train.hook.NanTensorHook;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.StopAtStepHook;
import dev.tributary.train.model.Summaries;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.session.ChiefOutput;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.MonitoredTrainingOptions;
import dev.tributary.train.session.MonitoredTrainingSession;
import dev.tributary.train.variable.GraphKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One training of an estimator. Confined to one thread. */
final class TrainingRun {
  private static final Logger LOG = LoggerFactory.getLogger(TrainingRun.class);
  private static final Duration RECOVERY_WAIT = Duration.ofMillis(200);

  private final Estimator<?> estimator;
  private final TrainSpec spec;
  private final RunConfig config;
  private final TrainingEnd end;
  private long stepsDone;

  TrainingRun(Estimator<?> estimator, TrainSpec spec) {
    this(estimator, spec, TrainingEnd.of(estimator, spec));
  }

  /**
   * @param end the end of the whole training, in which this task has a part
   */
  TrainingRun(Estimator<?> estimator, TrainSpec spec, TrainingEnd end) {
    this.estimator = estimator;
    this.spec = spec;
    this.config = estimator.config();
    this.end = end;
  }

  /** Returns the global step of a checkpoint; empty if a chief has deleted it meanwhile. */
  static OptionalLong globalStep(Path checkpoint) {
    try (BundleReader reader = BundleReader.open(checkpoint);
        Tensor step = reader.read("global_step")) {
      return OptionalLong.of(step.getIndex(0));
    } catch (TributaryException e) {
      if (e.code() == ErrorCode.NOT_FOUND && isGone(checkpoint)) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }

  static boolean isGone(Path checkpoint) {
    return !Files.exists(BundleFiles.index(checkpoint));
  }

  /** Returns whether a model has been trained up to a step. */
  static boolean isTrained(Path modelDir, long step) {
    return Saver.latestCheckpoint(modelDir)
        .map(TrainingRun::globalStep)
        .filter(latest -> latest.isPresent() && latest.getAsLong() >= step)
        .isPresent();
  }

  /** Trains. Returns whether there was anything left to do. */
  boolean run() {
    TfConfig task = config.task();
    if (task.isEvaluator() || task.isParameterServer()) {
      throw TributaryException.failedPrecondition(
          "a task '%s' does not train; call Estimators.trainAndEvaluate in all tasks", task.type());
    }
    if (isDone()) {
      LOG.info("{} has been trained to step {} already", estimator.modelDir(), spec.maxSteps());
      return false;
    }
    try (ModelGraph model = ModelGraph.of(estimator, ModeKeys.TRAIN, spec.input())) {
      train(model);
    }
    return true;
  }

  private boolean isDone() {
    return spec.maxSteps().isPresent()
        && isTrained(estimator.modelDir(), spec.maxSteps().getAsLong());
  }

  private void train(ModelGraph model) {
    Output loss = model.tf().reshape(model.spec().loss().orElseThrow());
    if (config.saveSummarySteps() > 0 && !summarizesLoss(model)) {
      Summaries.scalar(model.tf(), EstimatorSpec.LOSS, loss);
    }
    SessionRunArgs step =
        SessionRunArgs.running(model.spec().trainOp().orElseThrow()).withFetches(List.of(loss));
    List<SessionRunHook> hooks = model.hooks(hooks(model, loss));
    MonitoredTrainingOptions options = options(model);
    boolean isStopped = false;
    try (MonitoredSession session =
        MonitoredTrainingSession.open(model.tf(), opener(model), options, hooks)) {
      session.repeatUntilStop(
          s -> {
            s.run(step).close();
            stepsDone++;
          });
      isStopped = session.shouldStop();
    } catch (TributaryException e) {
      if (config.task().isChief() || e.code() != ErrorCode.OUT_OF_RANGE || !end.isReached()) {
        throw e;
      }
      LOG.info("training ended while this worker waited for the model");
      isStopped = true;
    }
    if (stepsDone == 0 && !isStopped && !end.isReached()) {
      throw TributaryException.invalidArgument(
          "training made no step, because the input has no batch; check the files and the batch"
              + " size of its dataset");
    }
  }

  /** Returns whether the model function has added a summary with the name of the loss. */
  private static boolean summarizesLoss(ModelGraph model) {
    return model.graph().collection(GraphKeys.SUMMARIES).stream()
        .map(summary -> ((Output) summary).operation().name())
        .anyMatch(name -> name.startsWith(EstimatorSpec.LOSS + "/"));
  }

  private Supplier<Session> opener(ModelGraph model) {
    String target = config.task().target();
    List<String> filters = config.task().deviceFilters();
    SessionOptions session = config.session();
    SessionOptions options =
        filters.isEmpty() || !session.cluster().deviceFilters().isEmpty()
            ? session
            : session.withCluster(
                session.cluster().withDeviceFilters(filters.toArray(new String[0])));
    return () -> {
      requireTraining();
      return Session.open(target, model.graph(), options);
    };
  }

  /** Ends the wait of a worker whose chief is gone, as the end of its input would. */
  private void requireTraining() {
    if (!config.task().isChief() && end.isReached()) {
      throw TributaryException.outOfRange("training has ended");
    }
  }

  private List<SessionRunHook> hooks(ModelGraph model, Output loss) {
    List<SessionRunHook> hooks = new ArrayList<>(spec.hooks());
    spec.maxSteps().ifPresent(last -> hooks.add(StopAtStepHook.lastStep(model.globalStep(), last)));
    spec.steps().ifPresent(more -> hooks.add(StopAtStepHook.numSteps(model.globalStep(), more)));
    hooks.add(NanTensorHook.failing(loss));
    if (config.logStepCountSteps() > 0) {
      Map<String, Output> logged = new LinkedHashMap<>();
      logged.put("loss", loss);
      logged.put("step", model.globalStep().value());
      hooks.add(LoggingTensorHook.each(Interval.ofSteps(config.logStepCountSteps()), logged));
    }
    hooks.addAll(model.spec().trainingHooks());
    hooks.add(new SaverHook(model));
    return hooks;
  }

  /** Adds the saver behind all variables, those of other hooks included. */
  private record SaverHook(ModelGraph model) implements SessionRunHook {
    @Override
    public void begin(Ops tf) {
      model.saver();
    }
  }

  private MonitoredTrainingOptions options(ModelGraph model) {
    if (!config.task().isChief()) {
      return MonitoredTrainingOptions.worker()
          .withScaffold(model.spec().scaffold())
          .withWaits(RECOVERY_WAIT, config.sessionCreationTimeout());
    }
    if (config.saveCheckpoints().isEmpty() && !spec.savingListeners().isEmpty()) {
      throw TributaryException.failedPrecondition(
          "the training has listeners of checkpoints, but its config has no checkpoints");
    }
    return MonitoredTrainingOptions.chief()
        .withOutput(output())
        .withScaffold(model.warmStarted(model.spec().scaffold()))
        .withChiefOnlyHooks(model.spec().trainingChiefHooks())
        .withSavingListeners(spec.savingListeners())
        .withWaits(RECOVERY_WAIT, config.sessionCreationTimeout());
  }

  private ChiefOutput output() {
    ChiefOutput all = ChiefOutput.to(estimator.modelDir());
    all = config.saveCheckpoints().map(all::withSaveCheckpoint).orElseGet(all::withoutCheckpoints);
    all =
        config.saveSummarySteps() > 0
            ? all.withSaveSummaries(Interval.ofSteps(config.saveSummarySteps()))
            : all.withoutSummaries();
    return config.logStepCountSteps() > 0
        ? all.withLogStepCount(Interval.ofSteps(config.logStepCountSteps()))
        : all.withoutStepCount();
  }
}
