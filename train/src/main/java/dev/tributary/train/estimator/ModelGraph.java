package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.distribute.InputContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.saver.SaverOptions;
import dev.tributary.train.session.Scaffold;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.GraphKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The graph of a model for one mode, with its input. Owns the graph. Confined to one thread.
 *
 * @param tf adds operations to the graph
 */
record ModelGraph(
    Estimator<?> estimator, Ops tf, Variable globalStep, Batch batch, EstimatorSpec spec)
    implements AutoCloseable {
  /** Builds the graph with an input function. */
  static ModelGraph of(Estimator<?> estimator, ModeKeys mode, InputFunction input) {
    RunConfig config = estimator.config();
    InputContext share = new InputContext(config.task().workers(), config.task().worker(), 1);
    InputParameters parameters = new InputParameters(mode, config, share);
    return of(estimator, mode, tf -> input.apply(tf, parameters));
  }

  /** Builds the graph with any input. */
  static ModelGraph of(Estimator<?> estimator, ModeKeys mode, Function<Ops, Batch> input) {
    Ops plain = Ops.create();
    try {
      estimator.config().seed().ifPresent(plain.graph()::setSeed);
      Ops tf = mode == ModeKeys.TRAIN ? placed(plain, estimator.config().task()) : plain;
      Variable globalStep = GlobalStep.create(tf);
      Batch batch = input.apply(tf);
      Batch seen = mode == ModeKeys.PREDICT ? batch.withoutLabels() : batch;
      ModelContext context = new ModelContext(mode, estimator.params(), estimator.config());
      EstimatorSpec spec =
          estimator.modelFunction().apply(tf, seen, context).checked(mode, tf.graph());
      return new ModelGraph(estimator, tf, globalStep, batch, spec);
    } catch (RuntimeException | Error e) {
      plain.graph().close();
      throw e;
    }
  }

  /** In a cluster, variables are on parameter servers and all else is on this task. */
  private static Ops placed(Ops tf, TfConfig task) {
    if (task.parameterServers() == 0) {
      return tf;
    }
    return tf.withDeviceFunction(
        ReplicaDeviceSetter.of(task.parameterServers()).withWorkerDevice(task.device()));
  }

  Graph graph() {
    return tf.graph();
  }

  /** Returns hooks that begin with the one that begins the input. */
  List<SessionRunHook> hooks(List<SessionRunHook> others) {
    List<SessionRunHook> hooks = new ArrayList<>();
    batch.initializer().ifPresent(initializer -> hooks.add(new InputHook(initializer)));
    hooks.addAll(others);
    return hooks;
  }

  /** Begins the input of each session. */
  private record InputHook(Operation initializer) implements SessionRunHook {
    @Override
    public boolean actsAroundSteps() {
      return false;
    }

    @Override
    public void afterCreateSession(Session session, Coordinator coordinator) {
      session.run(initializer);
    }
  }

  /** Returns the saver of the model function, or else one of all variables. */
  Saver saver() {
    Optional<Saver> known =
        spec.scaffold()
            .saver()
            .or(
                () ->
                    graph().collection(GraphKeys.SAVERS).stream()
                        .map(Saver.class::cast)
                        .findFirst());
    return known.orElseGet(
        () -> {
          Saver made = Saver.of(graph(), saverOptions(estimator.config()));
          graph().addToCollection(GraphKeys.SAVERS, made);
          return made;
        });
  }

  private static SaverOptions saverOptions(RunConfig config) {
    return SaverOptions.defaults()
        .withSharding()
        .withMaxToKeep(config.keepCheckpointMax())
        .withKeepEvery(config.keepCheckpointEvery());
  }

  /**
   * Returns a scaffold of sessions that use a trained model. Without a checkpoint it has its
   * initial values, or those of the warm start.
   */
  Scaffold trained(Optional<Path> checkpoint) {
    if (checkpoint.isEmpty()) {
      return warmStarted(spec.scaffold());
    }
    Saver saver = saver();
    return spec.scaffold()
        .withSaver(saver)
        .withInitOp(tf.withName("no_init").noOp())
        .withInitFn(session -> restore(saver, session, checkpoint.get()));
  }

  /** Returns a scaffold that begins with the values of the warm start, if there is one. */
  Scaffold warmStarted(Scaffold scaffold) {
    return estimator
        .settings()
        .warmStart()
        .map(warmStart -> warmStart.initializer(tf))
        .map(
            initializer ->
                scaffold.withInitFn(
                    session -> {
                      initializer.accept(session);
                      scaffold.initFn().ifPresent(more -> more.accept(session));
                    }))
        .orElse(scaffold);
  }

  private static void restore(Saver saver, Session session, Path checkpoint) {
    try {
      saver.restore(session, checkpoint);
    } catch (TributaryException e) {
      if (TrainingRun.isGone(checkpoint)) {
        throw e;
      }
      throw new TributaryException(
          e.code(),
          "checkpoint "
              + checkpoint
              + " does not fit the model; was it written by another one? "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public void close() {
    graph().close();
  }
}
