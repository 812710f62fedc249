package dev.tributary.train.sync;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.liveness.Liveness;
import dev.tributary.train.variable.SharedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells the chief which workers are alive, and for which step each has brought its gradients last:
 * its clock. What is known outlives a chief that dies, since workers may wait for a step that only
 * the next chief makes.
 */
final class Attendance implements Membership {
  /** The clock of a worker that brings no more. */
  static final long LEFT = 1L << 60;

  private static final long NOTHING_BROUGHT = -1;

  private final Ops beside;
  private final Replicas replicas;
  private final int own;
  private final Liveness liveness;
  private final Variable clocks;
  private final Variable beats;
  private final Output tokens;

  /**
   * @param beside where the global step is
   * @param own which of the workers this is
   */
  Attendance(Ops beside, Replicas replicas, int own, Liveness liveness) {
    int workers = replicas.total();
    if (replicas.toAggregate() > workers) {
      throw TributaryException.invalidArgument(
          "sync_replicas: dead workers are known only where each brings one gradient to a step, but"
              + " a step needs %d from %d workers",
          replicas.toAggregate(), workers);
    }
    this.beside = beside;
    this.replicas = replicas;
    this.own = own;
    this.liveness = liveness;
    this.clocks = SharedState.vector(beside, "sync_rep_clocks", workers, NOTHING_BROUGHT);
    this.beats = SharedState.vector(beside, "sync_rep_beats", workers, 0);
    Output one = beside.fill(beside.constant(new int[] {workers}), beside.constant(1));
    this.tokens = beside.withName("tokens").array.placeholderWithDefault(one, Shape.of(workers));
  }

  @Override
  public List<Variable> variables() {
    return List.of(clocks, beats);
  }

  @Override
  public Operation chiefInit() {
    List<Operation> all = new ArrayList<>();
    for (Variable variable : variables()) {
      all.add(
          beside.flow.condRun(
              beside.state.varIsInitializedOp(variable.handle()),
              tf -> List.of(tf.noOp()),
              tf -> List.of(variable.in(tf).assign(variable.initialValue()))));
    }
    return beside.group(all);
  }

  @Override
  public List<Operation> join(Ops tf) {
    return List.of(setClock(tf, constant(tf, NOTHING_BROUGHT)), beat(tf));
  }

  @Override
  public Operation leave() {
    return setClock(beside, constant(beside, LEFT));
  }

  @Override
  public List<Operation> bring(Ops after, Output localStep) {
    return List.of(setClock(after, localStep));
  }

  @Override
  public Optional<Beat> beat() {
    return Optional.of(new Beat(beat(beside), liveness.beat()));
  }

  private Operation beat(Ops tf) {
    return tf.state.resourceScatterAdd(beats.handle(), tf.constant(own), constant(tf, 1));
  }

  @Override
  public Output tokens() {
    return tokens;
  }

  @Override
  public Operation give(Ops tf, TokenQueues queues, Output step) {
    return queues.giveEach(tf, step, tokens);
  }

  @Override
  public RosterOperations roster(
      Variable globalStep,
      List<Output> counts,
      Supplier<List<Operation>> stepsSet,
      TokenQueues queues) {
    Output seen = clocks.in(beside).read();
    Operation[] counted = counts.stream().map(Output::operation).toArray(Operation[]::new);
    List<Operation> reset = new ArrayList<>(stepsSet.get());
    reset.add(forget());
    Ops ready = beside.withControlDependencies(reset.toArray(new Operation[0]));
    return new AttendanceOperations(
        replicas,
        liveness,
        own,
        beats.value(),
        seen,
        globalStep.in(beside.withControlDependencies(seen.operation())).read(),
        counts,
        globalStep.in(beside.withControlDependencies(counted)).read(),
        tokens,
        give(ready, queues, globalStep.in(ready).read()));
  }

  /** Nobody who has not left has brought anything. */
  private Operation forget() {
    Output all = clocks.in(beside).read();
    Output joined = beside.less(all, constant(beside, LEFT));
    return clocks.in(beside).assign(beside.where(joined, constant(beside, NOTHING_BROUGHT), all));
  }

  private Operation setClock(Ops tf, Output clock) {
    return tf.state.resourceScatterUpdate(clocks.handle(), tf.constant(own), clock);
  }

  private static Output constant(Ops tf, long value) {
    return tf.constant(DataType.INT64, value);
  }
}
