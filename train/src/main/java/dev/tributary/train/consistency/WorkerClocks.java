package dev.tributary.train.consistency;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Accumulator;
import dev.tributary.ops.AccumulatorOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.SharedState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How many steps each worker has made, and the gates at which fast workers wait for the slowest:
 * the part of stale synchronous training that is in the graph. Confined to the thread that builds
 * the graph; its operations may be run in any session of it.
 */
final class WorkerClocks {
  /*
   * A clock for each worker is on the task of the global step, in one vector. A worker that has made
   * step c counts it there, looks at the slowest clock s of the workers that are present, and tells
   * all gates that workers up to clock s + bound may begin a step. Then it waits at its own gate
   * until somebody says so for c.
   *
   * A gate is a conditional accumulator of zeros, used for what it does with steps: it drops
   * gradients below its step, so a gate at step c takes no notice of "up to s + bound" until that is
   * c or more; and a take waits for one that was not dropped, and moves the gate to step c + 1. So
   * whoever waits holds no thread, nobody polls, no message is counted, and the last word is always
   * true: clocks are written before they are read, thus of two workers that move the slowest clock
   * together at least one sees both.
   *
   * A worker that is absent - not begun, ended, or silent for too long - has a clock that is never
   * the slowest. If a step of it still waits when it leaves, that is let go. It comes in at the
   * clock of the slowest; a worker that was only thought to be dead does so with its next step.
   */
  private static final long ABSENT = 1L << 60;
  private static final long FOREVER = 1L << 61;
  private static final long NEVER = -1;

  private final Ops beside;
  private final int own;
  private final int bound;
  private final Variable clocks;
  private final Variable beats;
  private final List<Accumulator> gates;

  /**
   * @param beside where the global step is
   * @param own which of the workers this is
   */
  WorkerClocks(Ops beside, int workers, int own, int bound) {
    this.beside = beside;
    this.own = own;
    this.bound = bound;
    this.clocks = SharedState.vector(beside, "ssp_clocks", workers, ABSENT);
    this.beats = SharedState.vector(beside, "ssp_beats", workers, 0);
    this.gates = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      gates.add(gate(beside, "ssp_gate_" + i));
    }
  }

  private static Accumulator gate(Ops beside, String name) {
    return beside
        .withName(name)
        .accumulators
        .conditionalAccumulator(
            AccumulatorOptions.of(DataType.FLOAT, Shape.scalar()).withSharedName(name));
  }

  /** The shared variables, which the chief initialises. */
  List<Variable> variables() {
    return List.of(clocks, beats);
  }

  /** What this worker runs beside its steps. */
  Membership membership() {
    Output leaving = beside.array.placeholderWithDefault(beside.constant(own), Shape.scalar());
    return new Membership(
        own,
        tell(beside.withControlDependencies(clocks.initializer(), beats.initializer())),
        join(),
        leave(leaving),
        leaving,
        beat(),
        beats.value(),
        present(beside, clocks.value()));
  }

  /** Counts a step of this worker, and waits until it may begin the next. */
  Operation tick(Ops after) {
    Output all = clocks.in(after).read();
    Output mine = after.gather(all, after.constant(own));
    Output counted =
        after.math.shift(after.where(present(after, mine), mine, entry(after, all)), 1);
    Accumulator gate = gates.get(own);
    Ops told =
        after.withControlDependencies(
            tell(
                after.withControlDependencies(
                    set(after, after.constant(own), counted),
                    gate.in(after).setGlobalStep(counted))));
    return gate.in(told).takeGradient(1).operation();
  }

  private Operation join() {
    Output entry = entry(beside, clocks.in(beside).read());
    Accumulator gate = gates.get(own);
    Ops moved = beside.withControlDependencies(gate.in(beside).setGlobalStep(entry));
    Ops passable =
        moved.withControlDependencies(
            gate.in(moved).applyGradient(moved.constant(0f), constant(moved, FOREVER)));
    // What came to the gate in an earlier life must not let the first step pass.
    Operation emptied = gate.in(passable).takeGradient(1).operation();
    return beside.group(List.of(set(beside, beside.constant(own), entry), beat(), emptied));
  }

  private Operation beat() {
    return beside.state.resourceScatterAdd(
        beats.handle(), beside.constant(own), constant(beside, 1));
  }

  private Operation set(Ops tf, Output worker, Output clock) {
    return tf.state.resourceScatterUpdate(clocks.handle(), worker, clock);
  }

  private Operation leave(Output leaving) {
    Ops gone = beside.withControlDependencies(set(beside, leaving, constant(beside, ABSENT)));
    Output everybody = gone.range(gone.constant(0), gone.constant(gates.size()), gone.constant(1));
    Output opened =
        gone.where(gone.equal(everybody, leaving), constant(gone, FOREVER), constant(gone, NEVER));
    List<Operation> all = new ArrayList<>();
    all.add(tell(gone));
    all.addAll(open(gone, gone.join.unpack(opened, gates.size(), 0)));
    return gone.group(all);
  }

  /** Lets workers begin a step that have made as many as the slowest and the bound. */
  private Operation tell(Ops tf) {
    Output reached = tf.math.shift(tf.min(clocks.in(tf).read(), 0), bound);
    return tf.group(open(tf, Collections.nCopies(gates.size(), reached)));
  }

  /** Opens each gate to steps up to one. */
  private List<Operation> open(Ops tf, List<Output> steps) {
    Output nothing = tf.constant(0f);
    List<Operation> all = new ArrayList<>();
    for (int i = 0; i < gates.size(); i++) {
      all.add(gates.get(i).in(tf).applyGradient(nothing, steps.get(i)));
    }
    return all;
  }

  /** The clock of the slowest, or that of the first. */
  private static Output entry(Ops tf, Output all) {
    Output slowest = tf.min(all, 0);
    return tf.where(present(tf, slowest), slowest, constant(tf, 0));
  }

  private static Output present(Ops tf, Output times) {
    return tf.less(times, constant(tf, ABSENT));
  }

  private static Output constant(Ops tf, long value) {
    return tf.constant(DataType.INT64, value);
  }
}
