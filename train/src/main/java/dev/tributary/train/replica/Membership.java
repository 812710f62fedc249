package dev.tributary.train.replica;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.train.internal.SharedState;
import java.util.ArrayList;
import java.util.List;

/**
 * The workers that train one model together: a clock and a count of heartbeats for each of them, in
 * variables beside the global step that all workers share. A clock is the last step to which its
 * worker has contributed; what counts as a step is up to the caller. Confined to the thread that
 * builds the graph; the operations may be run in any session of it.
 */
final class Membership {
  /** The clock of a worker that takes no part: it has not begun, has left, or is dead. */
  static final long ABSENT = 1L << 60;

  /** The clock of a chief that has ended training, after which no step of the model is made. */
  static final long ENDED = ABSENT << 1;

  private final Ops beside;
  private final int own;
  private final Variable clocks;
  private final Variable beats;
  private final Operation beat;

  /**
   * @param beside the scope of the global step's device
   * @param own the index of this worker
   * @param initialClock the clock of a worker that has not begun
   */
  Membership(Ops beside, int workers, int own, long initialClock) {
    if (own < 0 || own >= workers) {
      throw TributaryException.invalidArgument(
          "this is replica %d, but replicas are numbered from 0 to %d; set the number with"
              + " withReplica",
          own, workers - 1);
    }
    this.beside = beside;
    this.own = own;
    this.clocks = SharedState.vector(beside, "replica_clocks", workers, initialClock);
    this.beats = SharedState.vector(beside, "replica_beats", workers, 0);
    this.beat = beat(beside);
  }

  /** Returns the index of this worker. */
  int own() {
    return own;
  }

  /** Returns the shared variables, which the chief initializes. */
  List<Variable> variables() {
    return List.of(clocks, beats);
  }

  /** Initializes the variables, whatever they hold. */
  Operation reset() {
    return beside.group(List.of(clocks.initializer(), beats.initializer()));
  }

  /**
   * Initializes the variables unless workers take part already. What is known of these outlives a
   * chief that dies, since they may wait for a step that only the next chief makes.
   */
  Operation resetUnlessInUse(Ops tf) {
    List<Operation> initialized = new ArrayList<>();
    for (Variable variable : variables()) {
      initialized.add(
          tf.flow.condRun(
              tf.state.varIsInitializedOp(variable.handle()),
              branch -> List.of(branch.noOp()),
              branch -> List.of(variable.in(branch).assign(variable.initialValue()))));
    }
    Ops after = tf.withControlDependencies(initialized.toArray(new Operation[0]));
    return after.flow.condRun(
        isPresent(after, after.min(clocks.in(after).read(), 0)),
        branch -> List.of(branch.noOp()),
        branch -> List.of(clocks.in(branch).assign(clocks.initialValue())));
  }

  /** Returns the clocks, an int64 vector. */
  Output clocks() {
    return clocks.value();
  }

  /** Reads the clocks in a scope. */
  Output readClocks(Ops tf) {
    return clocks.in(tf).read();
  }

  /** Sets this worker's clock. */
  Operation setClock(Ops tf, Output clock) {
    return setClock(tf, tf.constant(own), clock);
  }

  /** Sets the clock of a worker, an int32. */
  Operation setClock(Ops tf, Output worker, Output clock) {
    return tf.state.resourceScatterUpdate(clocks.handle(), worker, clock);
  }

  /** Sets the clocks of all workers that take part. */
  Operation setPresentClocks(Ops tf, Output clock) {
    Output all = readClocks(tf);
    return clocks.in(tf).assign(tf.where(isPresent(tf, all), clock, all));
  }

  /** Returns the number of heartbeats of each worker, an int64 vector. */
  Output beats() {
    return beats.value();
  }

  /** Returns the operation that counts a heartbeat of this worker. */
  Operation beat() {
    return beat;
  }

  /** Counts a heartbeat of this worker in a scope. */
  Operation beat(Ops tf) {
    return tf.state.resourceScatterAdd(beats.handle(), tf.constant(own), clock(tf, 1));
  }

  /** Returns which of these clocks belong to workers that take part. */
  static Output isPresent(Ops tf, Output clocks) {
    return tf.less(clocks, clock(tf, ABSENT));
  }

  static Output clock(Ops tf, long value) {
    return tf.constant(DataType.INT64, value);
  }
}
