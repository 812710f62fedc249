package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.optimizer.VariableAverages;
import dev.tributary.train.replica.Consistency.StaleSynchronous;
import dev.tributary.train.replica.Consistency.Sync;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Lets many workers train one model with any optimizer, as consistent as wanted. Each worker builds
 * the same graph:
 *
 * <pre>{@code
 * ReplicatedOptimizer optimizer =
 *     ReplicatedOptimizer.of(new AdamOptimizer(1e-3), Consistency.parse("ssp(3)"), workers);
 * Operation train = optimizer.minimize(tf, loss, globalStep);
 * SessionRunHook hook = isChief ? optimizer.chiefHook(Duration.ofSeconds(30)) : optimizer.workerHook();
 * }</pre>
 *
 * The hook goes to the monitored session. Under a {@code Supervisor} the program calls its {@code
 * afterCreateSession} at its beginning and {@code end} at its end. How stale gradients are is
 * measured, and is among the graph's summaries. Confined to the thread that builds the graph; for
 * one graph.
 */
public final class ReplicatedOptimizer implements Optimizer {
  private final Optimizer optimizer;
  private final Consistency consistency;
  private final int workers;
  private final Settings settings;
  private Optional<Replication> replication = Optional.empty();

  private record Settings(
      Optional<VariableAverages> averages, Optional<Integer> replica, Liveness liveness) {}

  private ReplicatedOptimizer(
      Optimizer optimizer, Consistency consistency, int workers, Settings settings) {
    this.optimizer = optimizer;
    this.consistency = consistency;
    this.workers = workers;
    this.settings = settings;
  }

  /**
   * @param workers how many there are, the chief among them
   */
  public static ReplicatedOptimizer of(Optimizer optimizer, Consistency consistency, int workers) {
    consistency.gradientsPerStep(workers);
    return new ReplicatedOptimizer(
        optimizer,
        consistency,
        workers,
        new Settings(Optional.empty(), Optional.empty(), Liveness.defaults()));
  }

  /** A new optimizer that also moves these averages in each step. */
  public ReplicatedOptimizer withVariableAverages(
      ExponentialMovingAverage average, List<Variable> variables) {
    return with(
        new Settings(
            Optional.of(new VariableAverages(average, variables)),
            settings.replica,
            settings.liveness));
  }

  /**
   * A new optimizer that knows which of the workers, counted from 0, this is. Otherwise it is the
   * number of the task on whose device the operations are.
   */
  public ReplicatedOptimizer withReplica(int number) {
    return with(new Settings(settings.averages, Optional.of(number), settings.liveness));
  }

  /**
   * A new optimizer that takes silent workers for dead sooner or later; {@code async} never asks.
   */
  public ReplicatedOptimizer withLiveness(Liveness liveness) {
    return with(new Settings(settings.averages, settings.replica, liveness));
  }

  private ReplicatedOptimizer with(Settings changed) {
    return new ReplicatedOptimizer(optimizer, consistency, workers, changed);
  }

  @Override
  public String name() {
    return optimizer.name();
  }

  @Override
  public Operation applyGradients(
      Ops tf, List<GradientAndVariable> gradients, Optional<Variable> globalStep) {
    Variable step =
        globalStep.orElseThrow(
            () ->
                TributaryException.invalidArgument(
                    "%s: training of replicas (%s) needs a global step", name(), consistency));
    Replication built =
        consistency instanceof Sync ? together(tf, gradients, step) : single(tf, gradients, step);
    built.staleness().summarize(tf);
    replication = Optional.of(built);
    return built.train();
  }

  private Replication together(Ops tf, List<GradientAndVariable> gradients, Variable step) {
    SyncReplicasOptimizer sync =
        new SyncReplicasOptimizer(optimizer, consistency.gradientsPerStep(workers), workers)
            .withReplica(worker(tf).index())
            .withLiveness(settings.liveness);
    SyncReplicasOptimizer averaging =
        settings.averages.map(sync::withVariableAverages).orElse(sync);
    Operation train = averaging.applyGradients(tf, gradients, step);
    return new SyncReplication(train, averaging.operations());
  }

  private Replication single(Ops tf, List<GradientAndVariable> gradients, Variable step) {
    Optional<Integer> bound =
        consistency instanceof StaleSynchronous
            ? Optional.of(((StaleSynchronous) consistency).bound())
            : Optional.empty();
    return new SingleSteps(optimizer, settings.averages, settings.liveness)
        .build(tf, gradients, step, worker(tf), bound);
  }

  private Worker worker(Ops tf) {
    int index = settings.replica.orElseGet(() -> tf.scope().plainDevice().task().orElse(0));
    return new Worker(index, workers);
  }

  /** How old gradients are when they change the model, and how many came too late. */
  public Staleness staleness() {
    return built().staleness();
  }

  /**
   * What the chief's session needs.
   *
   * @param endWait how long to wait at the end for workers that need the chief for their last steps
   */
  public SessionRunHook chiefHook(Duration endWait) {
    return built().chiefHook(endWait);
  }

  /** What another worker's session needs. */
  public SessionRunHook workerHook() {
    return built().workerHook();
  }

  private Replication built() {
    return replication.orElseThrow(
        () ->
            TributaryException.failedPrecondition(
                "%s: hooks and staleness come after applyGradients()", name()));
  }
}
