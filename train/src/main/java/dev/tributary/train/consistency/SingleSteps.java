package dev.tributary.train.consistency;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.train.liveness.Liveness;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.optimizer.VariableAverages;
import dev.tributary.train.staleness.StalenessMeter;
import dev.tributary.train.variable.SharedState;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds training in which each gradient makes a step of its own, asynchronous or within a bound.
 *
 * @param averages move after each step
 */
record SingleSteps(Optimizer optimizer, Optional<VariableAverages> averages, Liveness liveness) {
  /**
   * @param bound how far a worker may be ahead of the slowest, if they wait for each other
   */
  SingleStepReplication build(
      Ops tf,
      List<GradientAndVariable> gradients,
      Variable globalStep,
      Worker worker,
      Optional<Integer> bound) {
    Ops beside = SharedState.beside(tf.withSubScope("replica"), globalStep);
    StalenessMeter meter = StalenessMeter.of(beside);
    Optional<WorkerClocks> clocks =
        bound.map(n -> new WorkerClocks(beside, worker.count(), worker.index(), n));
    Operation counted = countedUpdate(tf, beside, gradients, globalStep, meter);
    Operation moved = averages.map(a -> a.after(tf, counted)).orElse(counted);
    Operation train = clocks.map(c -> c.tick(beside.withControlDependencies(moved))).orElse(moved);

    Optional<Membership> membership = clocks.map(WorkerClocks::membership);
    List<Operation> init = new ArrayList<>();
    List<Variable> shared = new ArrayList<>(meter.variables());
    shared.forEach(variable -> init.add(variable.initializer()));
    membership.ifPresent(m -> init.add(m.init()));
    clocks.ifPresent(c -> shared.addAll(c.variables()));
    return new SingleStepReplication(
        train,
        beside.withName("chief_init").group(init),
        Variables.reportUninitialized(beside, shared),
        meter.staleness(beside, beside.constant(DataType.INT64, 0)),
        membership,
        liveness);
  }

  /**
   * The step is counted here and not by the optimizer, since this way of counting also tells the
   * step at which the update came, whatever other workers do at the same time.
   */
  private Operation countedUpdate(
      Ops tf,
      Ops beside,
      List<GradientAndVariable> gradients,
      Variable globalStep,
      StalenessMeter meter) {
    Output read = globalStep.in(beside).read();
    Ops updated = beside.withControlDependencies(optimizer.applyGradients(tf, gradients));
    Output applied =
        updated.state.resourceCountUpTo(globalStep.handle(), Long.MAX_VALUE, globalStep.type());
    Output staleness = updated.cast(updated.sub(applied, read), DataType.INT64);
    return meter.record(updated, staleness, updated.constant(DataType.INT64, 1));
  }
}
