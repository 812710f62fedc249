package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.train.internal.SharedState;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of a graph for training in which each gradient makes a step of its own, asynchronously
 * or within a bound of staleness. Confined to the thread that builds the graph.
 */
final class AsyncGraph {
  private final Variable globalStep;
  private final Ops beside;
  private final StalenessMeter meter;
  private final Optional<BoundedStaleness> bound;
  private final Operation train;
  private final Operation chiefInit;
  private final Output readyForWorkers;
  private final Staleness staleness;

  /**
   * @param averages moved after each step
   * @param workers the number of workers
   * @param own the index of this worker
   * @param bound the number of steps that a worker may be ahead of the slowest, if there is a limit
   */
  AsyncGraph(
      Ops tf,
      Optimizer optimizer,
      Optional<VariableAverages> averages,
      List<GradientAndVariable> gradients,
      Variable globalStep,
      int workers,
      int own,
      Optional<Integer> bound) {
    this.globalStep = globalStep;
    this.beside = SharedState.beside(tf.withSubScope("replica"), globalStep);
    this.meter = StalenessMeter.of(beside);
    this.bound = bound.map(steps -> new BoundedStaleness(beside, workers, own, steps));
    Output read = globalStep.in(beside).read();
    Operation updated = counted(read, optimizer.applyGradients(tf, gradients));
    Operation moved = averages.map(a -> a.after(tf, updated)).orElse(updated);
    this.train = this.bound.map(b -> b.tick(beside.withControlDependencies(moved))).orElse(moved);
    this.chiefInit = buildChiefInit();
    List<Variable> shared = new ArrayList<>(meter.variables());
    this.bound.ifPresent(b -> shared.addAll(b.membership().variables()));
    this.readyForWorkers = Variables.reportUninitialized(beside, shared);
    this.staleness = meter.staleness(beside, beside.constant(DataType.INT64, 0));
  }

  /**
   * Increments the global step here and not in the optimizer, since the operation used here also
   * returns the step at which the update was applied, regardless of concurrent updates.
   */
  private Operation counted(Output read, Operation update) {
    Ops updated = beside.withControlDependencies(update);
    Output applied =
        updated.state.resourceCountUpTo(globalStep.handle(), Long.MAX_VALUE, globalStep.type());
    Output difference = updated.cast(updated.sub(applied, read), DataType.INT64);
    return meter.record(updated, difference, updated.constant(DataType.INT64, 1));
  }

  private Operation buildChiefInit() {
    List<Operation> all = new ArrayList<>();
    meter.variables().forEach(variable -> all.add(variable.initializer()));
    bound.ifPresent(b -> all.add(b.init()));
    return beside.withName("chief_init").group(all);
  }

  /** Returns a worker's training step, which waits if the worker is too far ahead. */
  Operation train() {
    return train;
  }

  /** Returns the operation that initializes what workers share beside the model. */
  Operation chiefInit() {
    return chiefInit;
  }

  /** Returns the names of variables that {@link #chiefInit} has not initialized yet. */
  Output readyForWorkers() {
    return readyForWorkers;
  }

  Staleness staleness() {
    return staleness;
  }

  /** Returns the gates, if workers wait for each other. */
  Optional<BoundedStaleness> bound() {
    return bound;
  }
}
