package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.internal.SharedState;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.Optimizer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An optimizer that makes each step with the gradients of many workers together. Each worker builds
 * the same graph:
 *
 * <pre>{@code
 * SyncReplicasOptimizer optimizer = new SyncReplicasOptimizer(new AdamOptimizer(1e-3), 3, 3);
 * Operation train = optimizer.minimize(tf, loss, globalStep);
 * SessionRunHook hook = optimizer.sessionRunHook(isChief);
 * }</pre>
 *
 * The hook is given to the monitored session or to the supervisor. Without it, a training step
 * fails with FAILED_PRECONDITION.
 *
 * <p>Confined to the thread that builds the graph; for one graph.
 */
public final class SyncReplicasOptimizer implements Optimizer {
  /*
   * A step. Workers add their gradients to an accumulator beside each variable, each gradient with
   * the global step at which the worker read the variables, its local step. Then they wait for a
   * token. The chief waits until each accumulator has enough gradients, applies their means, which
   * increments the global step, and enqueues tokens with the new step. A worker that gets one makes
   * it its local step and continues: it reads variables only after the update. Stale gradients,
   * whose local step is over, are dropped, so that with backup workers the slowest ones never spoil
   * a step; they get a token too, and are up to date again.
   *
   * Leaving. Each worker has a clock, the last local step for which it has added gradients; a worker
   * without input marks its clock as absent: see Membership. The chief reads the clocks, and from
   * then on waits for fewer gradients and enqueues fewer tokens: see StepPlanner.
   *
   * Dying. With withLiveness, workers also count heartbeats beside their clocks, and the chief treats
   * a worker whose count stands still as one that has left: see MembershipView.
   *
   * Counting. The number of stale gradients, and the staleness of the others: see GradientCounter.
   *
   * Ending. The chief makes steps for the others until all have left or its wait is over. Then it
   * marks the end of training beside the clocks, and ends steps that wait by tokens: see SyncWatch.
   *
   * Names of shared things (accumulators, token queue, sync_rep_local_step) are TensorFlow's. Unlike
   * in TensorFlow, workers that compute one gradient for each step have token queues of their own,
   * and there are no initial tokens unless they are needed: with as many tokens as workers, all of
   * them would compute their second gradient before the first update.
   */
  private final Optimizer optimizer;
  private final Replicas replicas;
  private final Optional<VariableAverages> averages;
  private final Optional<Integer> replica;
  private final Optional<Liveness> liveness;
  private final SyncLimits limits;
  private Optional<SyncOperations> operations = Optional.empty();

  /**
   * @param replicasToAggregate the number of gradients that make a step
   * @param totalReplicas the number of workers; those above {@code replicasToAggregate} are backups
   */
  public SyncReplicasOptimizer(Optimizer optimizer, int replicasToAggregate, int totalReplicas) {
    this(
        optimizer,
        new Replicas(replicasToAggregate, totalReplicas),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        SyncLimits.defaults());
  }

  private SyncReplicasOptimizer(
      Optimizer optimizer,
      Replicas replicas,
      Optional<VariableAverages> averages,
      Optional<Integer> replica,
      Optional<Liveness> liveness,
      SyncLimits limits) {
    this.optimizer = optimizer;
    this.replicas = replicas;
    this.averages = averages;
    this.replica = replica;
    this.liveness = liveness;
    this.limits = limits;
  }

  /** Returns an optimizer that also updates these moving averages in each step. */
  public SyncReplicasOptimizer withVariableAverages(
      ExponentialMovingAverage average, List<Variable> variables) {
    return withVariableAverages(new VariableAverages(average, variables));
  }

  SyncReplicasOptimizer withVariableAverages(VariableAverages moved) {
    return new SyncReplicasOptimizer(
        optimizer, replicas, Optional.of(moved), replica, liveness, limits);
  }

  /**
   * Returns an optimizer for the worker with this number, counted from 0. By default it is the
   * number of the task on whose device the operations are.
   */
  public SyncReplicasOptimizer withReplica(int number) {
    return new SyncReplicasOptimizer(
        optimizer, replicas, averages, Optional.of(number), liveness, limits);
  }

  /**
   * Returns an optimizer whose chief continues without workers that die, and waits for them again
   * when they come back. Workers then need their {@link #sessionRunHook}, which sends heartbeats,
   * and each computes one gradient for a step. By default, a dead worker is waited for until it is
   * started again, as in TensorFlow.
   */
  public SyncReplicasOptimizer withLiveness(Liveness wanted) {
    return new SyncReplicasOptimizer(
        optimizer, replicas, averages, replica, Optional.of(wanted), limits);
  }

  /**
   * Returns an optimizer whose workers fail with DEADLINE_EXCEEDED when the model has made no step
   * for this time; ten minutes by default. The error names the workers whose gradients are missing.
   */
  public SyncReplicasOptimizer withStepLimit(Duration limit) {
    return withLimits(limits.withStep(limit));
  }

  /**
   * Returns an optimizer whose chief waits this long, at its end, for workers that need it for
   * their last steps; 30 seconds by default. Then training has ended for all.
   */
  public SyncReplicasOptimizer withEndWait(Duration limit) {
    return withLimits(limits.withEnd(limit));
  }

  SyncReplicasOptimizer withLimits(SyncLimits changed) {
    return new SyncReplicasOptimizer(optimizer, replicas, averages, replica, liveness, changed);
  }

  @Override
  public String name() {
    return "sync_replicas";
  }

  /**
   * Returns the hook that each worker, also the chief, gives to its monitored session or
   * supervisor: TensorFlow's {@code make_session_run_hook}. Called after {@code minimize}.
   */
  public SessionRunHook sessionRunHook(boolean isChief) {
    return new SyncReplicasHook(operations(), isChief, limits);
  }

  /** Returns measurements of stale gradients. Called after {@code minimize}. */
  public Staleness staleness() {
    return operations().staleness();
  }

  /** Returns the operations that chief and workers run beside their training steps. */
  SyncOperations operations() {
    return operations.orElseThrow(
        () ->
            TributaryException.failedPrecondition(
                "%s: call applyGradients() or minimize() before asking for hooks or staleness",
                name()));
  }

  @Override
  public Operation applyGradients(
      Ops tf, List<GradientAndVariable> gradients, Optional<Variable> globalStep) {
    Variable step =
        globalStep.orElseThrow(
            () ->
                TributaryException.invalidArgument(
                    "%s: synchronous training needs a global step", name()));
    int own = replica.orElseGet(() -> tf.scope().plainDevice().task().orElse(0));
    SyncGraph graph = new SyncGraph(tf, name(), replicas, own, liveness, gradients, step);
    Ops update = SharedState.beside(tf, step);
    operations =
        Optional.of(
            graph.operations(
                (beside, means) ->
                    moved(beside, optimizer.applyGradients(update, means, globalStep))));
    return graph.train();
  }

  private Operation moved(Ops tf, Operation updated) {
    return averages.map(a -> a.after(tf, updated)).orElse(updated);
  }
}
