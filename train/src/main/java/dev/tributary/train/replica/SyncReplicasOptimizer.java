package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.optimizer.VariableAverages;
import dev.tributary.train.variable.SharedState;
import java.util.List;
import java.util.Optional;

/**
 * Lets the gradients of many workers make one step together. Each worker builds the same graph:
 *
 * <pre>{@code
 * SyncReplicasOptimizer optimizer = new SyncReplicasOptimizer(new AdamOptimizer(1e-3), 3, 3);
 * Operation train = optimizer.minimize(tf, loss, globalStep);
 * SyncOperations sync = optimizer.operations();
 * // The chief: initialise, run sync.chiefInit(), then SyncRunner.start(sync, session, coordinator).
 * // Other workers: wait until sync.readyForLocalInit() is empty, run sync.localInit().
 * // In monitored sessions a SyncReplicasHook does so.
 * }</pre>
 *
 * Confined to the thread that builds the graph; for one graph.
 */
public final class SyncReplicasOptimizer implements Optimizer {
  /*
   * How a step goes. Workers add their gradients to an accumulator beside each variable, each
   * marked with the global step at which the worker read the variables, its local step. Then they
   * wait for a token. The chief waits until each accumulator has enough gradients, applies their
   * means, which counts the global step, and gives out tokens with the new step. A worker
   * that gets one makes it its local step and goes on: it reads variables only after the update.
   * A gradient whose local step is over is dropped, so that with backup workers the slowest ones
   * never spoil a step; they get a token too, and are up to date again.
   *
   * Leaving. A worker without input adds one to a counter on the parameter server. The chief looks
   * at it, and from then on waits for fewer gradients and gives out fewer tokens: see SyncRunner.
   *
   * Dying. With withLiveness the counter gives way to vectors that tell which workers are alive and
   * what they have brought: see Attendance and LiveRoster.
   *
   * Counting. How many gradients were dropped and how old the others were: see GradientTally.
   *
   * Names of shared things (accumulators, sync_rep_local_step) are TensorFlow's. Unlike
   * TensorFlow, workers that make one gradient in each step have token queues of their own, and no
   * tokens are there at the start unless they must be: with as many tokens as workers, all of them
   * compute their second gradient before the first update.
   */
  private final Optimizer optimizer;
  private final Replicas replicas;
  private final Optional<VariableAverages> averages;
  private final Optional<Integer> replica;
  private final Optional<Liveness> liveness;
  private Optional<SyncOperations> operations = Optional.empty();

  /**
   * @param replicasToAggregate how many gradients make a step
   * @param totalReplicas how many workers there are; those above the gradients are backups
   */
  public SyncReplicasOptimizer(Optimizer optimizer, int replicasToAggregate, int totalReplicas) {
    this(
        optimizer,
        new Replicas(replicasToAggregate, totalReplicas),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private SyncReplicasOptimizer(
      Optimizer optimizer,
      Replicas replicas,
      Optional<VariableAverages> averages,
      Optional<Integer> replica,
      Optional<Liveness> liveness) {
    this.optimizer = optimizer;
    this.replicas = replicas;
    this.averages = averages;
    this.replica = replica;
    this.liveness = liveness;
  }

  /** A new optimizer that also moves these averages in each step. */
  public SyncReplicasOptimizer withVariableAverages(
      ExponentialMovingAverage average, List<Variable> variables) {
    return withVariableAverages(new VariableAverages(average, variables));
  }

  /** A new optimizer that also moves these averages in each step. */
  public SyncReplicasOptimizer withVariableAverages(VariableAverages moved) {
    return new SyncReplicasOptimizer(optimizer, replicas, Optional.of(moved), replica, liveness);
  }

  /**
   * A new optimizer that knows which of the workers, counted from 0, this is. Otherwise it is the
   * number of the task on whose device the operations are.
   */
  public SyncReplicasOptimizer withReplica(int number) {
    return new SyncReplicasOptimizer(optimizer, replicas, averages, Optional.of(number), liveness);
  }

  /**
   * A new optimizer whose chief goes on without workers that die, and with them again when they
   * come back. Workers then need a {@link SyncReplicasHook}, which says that they are alive, and no
   * worker may bring several gradients to a step. Without it, a dead worker is waited for until it
   * is started again, as in TensorFlow.
   */
  public SyncReplicasOptimizer withLiveness(Liveness wanted) {
    return new SyncReplicasOptimizer(optimizer, replicas, averages, replica, Optional.of(wanted));
  }

  @Override
  public String name() {
    return "sync_replicas";
  }

  /** What chief and workers run beside their training steps. */
  public SyncOperations operations() {
    return operations.orElseThrow(
        () ->
            TributaryException.failedPrecondition(
                "%s: operations() comes after applyGradients()", name()));
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
