package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.replica.Consistency.StaleSynchronous;
import dev.tributary.train.replica.Consistency.Sync;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An optimizer that trains one model on many workers with a given {@link Consistency}, on top of
 * any optimizer. Each worker builds the same graph:
 *
 * <pre>{@code
 * ReplicatedOptimizer optimizer =
 *     ReplicatedOptimizer.of(new AdamOptimizer(1e-3), Consistency.parse("ssp(3)"), workers);
 * Operation train = optimizer.minimize(tf, loss, globalStep);
 * SessionRunHook hook = optimizer.sessionRunHook(isChief);
 * }</pre>
 *
 * The hook is given to the monitored session or to the supervisor. The staleness of gradients is
 * measured and added to the graph's summaries. Confined to the thread that builds the graph; for
 * one graph.
 */
public final class ReplicatedOptimizer implements Optimizer {
  private final Optimizer optimizer;
  private final Consistency consistency;
  private final int workers;
  private final Settings settings;
  private Optional<Replication> built = Optional.empty();

  private record Settings(
      Optional<VariableAverages> averages,
      Optional<Integer> replica,
      Liveness liveness,
      SyncLimits limits) {}

  /** Operations that were added to the graph, and the hook that goes with them. */
  private record Replication(
      Operation train, Staleness staleness, Function<Boolean, SessionRunHook> hook) {}

  private ReplicatedOptimizer(
      Optimizer optimizer, Consistency consistency, int workers, Settings settings) {
    this.optimizer = optimizer;
    this.consistency = consistency;
    this.workers = workers;
    this.settings = settings;
  }

  /**
   * @param workers the number of workers, including the chief
   */
  public static ReplicatedOptimizer of(Optimizer optimizer, Consistency consistency, int workers) {
    consistency.gradientsPerStep(workers);
    return new ReplicatedOptimizer(
        optimizer,
        consistency,
        workers,
        new Settings(
            Optional.empty(), Optional.empty(), Liveness.defaults(), SyncLimits.defaults()));
  }

  /** Returns an optimizer that also updates these moving averages in each step. */
  public ReplicatedOptimizer withVariableAverages(
      ExponentialMovingAverage average, List<Variable> variables) {
    return with(
        new Settings(
            Optional.of(new VariableAverages(average, variables)),
            settings.replica,
            settings.liveness,
            settings.limits));
  }

  /**
   * Returns an optimizer for the worker with this number, counted from 0. By default it is the
   * number of the task on whose device the operations are.
   */
  public ReplicatedOptimizer withReplica(int number) {
    return with(
        new Settings(settings.averages, Optional.of(number), settings.liveness, settings.limits));
  }

  /**
   * Returns an optimizer with other times for the detection of dead workers; {@code async} detects
   * none.
   */
  public ReplicatedOptimizer withLiveness(Liveness liveness) {
    return with(new Settings(settings.averages, settings.replica, liveness, settings.limits));
  }

  /**
   * Returns an optimizer whose synchronous workers fail with DEADLINE_EXCEEDED when the model has
   * made no step for this time; ten minutes by default. The error names the workers whose gradients
   * are missing.
   */
  public ReplicatedOptimizer withStepLimit(Duration limit) {
    return withLimits(settings.limits.withStep(limit));
  }

  /**
   * Returns an optimizer whose chief waits this long, at its end, for synchronous workers that need
   * it for their last steps; 30 seconds by default. Then training has ended for all. In other kinds
   * of training nobody needs the chief, and it does not wait.
   */
  public ReplicatedOptimizer withEndWait(Duration limit) {
    return withLimits(settings.limits.withEnd(limit));
  }

  private ReplicatedOptimizer withLimits(SyncLimits limits) {
    return with(new Settings(settings.averages, settings.replica, settings.liveness, limits));
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
    Replication replication =
        consistency instanceof Sync
            ? synchronous(tf, gradients, step)
            : asynchronous(tf, gradients, step);
    replication.staleness.summarize(tf);
    built = Optional.of(replication);
    return replication.train;
  }

  private Replication synchronous(Ops tf, List<GradientAndVariable> gradients, Variable step) {
    SyncReplicasOptimizer sync =
        new SyncReplicasOptimizer(optimizer, consistency.gradientsPerStep(workers), workers)
            .withReplica(replica(tf))
            .withLiveness(settings.liveness)
            .withLimits(settings.limits);
    SyncReplicasOptimizer averaging =
        settings.averages.map(sync::withVariableAverages).orElse(sync);
    Operation train = averaging.applyGradients(tf, gradients, step);
    return new Replication(train, averaging.staleness(), averaging::sessionRunHook);
  }

  private Replication asynchronous(Ops tf, List<GradientAndVariable> gradients, Variable step) {
    Optional<Integer> bound =
        consistency instanceof StaleSynchronous
            ? Optional.of(((StaleSynchronous) consistency).bound())
            : Optional.empty();
    AsyncGraph graph =
        new AsyncGraph(
            tf, optimizer, settings.averages, gradients, step, workers, replica(tf), bound);
    return new Replication(
        graph.train(),
        graph.staleness(),
        isChief -> new AsyncReplicasHook(graph, settings.liveness, isChief));
  }

  private int replica(Ops tf) {
    return settings.replica.orElseGet(() -> tf.scope().plainDevice().task().orElse(0));
  }

  /** Returns measurements of stale gradients. */
  public Staleness staleness() {
    return built().staleness;
  }

  /**
   * Returns the hook that each worker, also the chief, gives to its monitored session or
   * supervisor. Called after {@code minimize}.
   */
  public SessionRunHook sessionRunHook(boolean isChief) {
    return built().hook.apply(isChief);
  }

  private Replication built() {
    return built.orElseThrow(
        () ->
            TributaryException.failedPrecondition(
                "%s: call applyGradients() or minimize() before asking for hooks or staleness",
                name()));
  }
}
