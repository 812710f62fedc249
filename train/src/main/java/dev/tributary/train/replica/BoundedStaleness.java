package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Accumulator;
import dev.tributary.ops.AccumulatorOptions;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The gates at which fast workers wait for the slowest one: the part of stale synchronous training
 * that is in the graph. Confined to the thread that builds the graph; its operations may be run in
 * any session of it.
 */
final class BoundedStaleness {
  /*
   * The clock of a worker is the number of steps it has made. A worker that has made step c sets its
   * clock to c, reads the slowest clock s of the workers that take part, and opens all gates to
   * workers up to clock s + bound. Then it waits at its own gate until that is open to c.
   *
   * A gate is a conditional accumulator of zeros, used for its handling of steps. It drops gradients
   * below its step, so a gate at step c ignores "up to s + bound" until that is c or more; and a
   * take waits for one that was not dropped, and moves the gate to step c + 1. So a waiting worker
   * holds no thread, nothing is polled, no message is counted, and the last message is always right:
   * clocks are written before they are read, thus of two workers that move the slowest clock
   * together at least one sees both.
   *
   * A worker that takes no part - it has not begun, has left, or is dead - has a clock that is never
   * the slowest. If a step of it still waits when it leaves, its gate is opened. It joins at the
   * clock of the slowest; a worker that was wrongly taken for dead does so with its next step.
   */
  private static final long FOREVER = 1L << 61;
  private static final long NEVER = -1;

  private final Ops beside;
  private final int bound;
  private final Membership membership;
  private final List<Accumulator> gates;
  private final Accumulator ownGate;
  private final Operation init;
  private final Operation join;
  private final Output leaving;
  private final Operation leave;

  /**
   * @param beside the scope of the global step's device
   * @param own the index of this worker
   * @param bound the number of steps that a worker may be ahead of the slowest
   */
  BoundedStaleness(Ops beside, int workers, int own, int bound) {
    this.beside = beside;
    this.bound = bound;
    this.membership = new Membership(beside, workers, own, Membership.ABSENT);
    this.gates = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      gates.add(gate(beside, "ssp_gate_" + i));
    }
    this.ownGate = gates.get(own);
    this.init = openReached(beside.withControlDependencies(membership.reset()));
    this.join = buildJoin();
    this.leaving = beside.array.placeholderWithDefault(beside.constant(own), Shape.scalar());
    this.leave = buildLeave();
  }

  private static Accumulator gate(Ops beside, String name) {
    return beside
        .withName(name)
        .queues
        .conditionalAccumulator(
            AccumulatorOptions.of(DataType.FLOAT, Shape.scalar()).withSharedName(name));
  }

  Membership membership() {
    return membership;
  }

  /**
   * Returns the chief's operation that begins without any worker, and lets waiting ones continue.
   */
  Operation init() {
    return init;
  }

  /** Returns the operation by which this worker joins: after {@link #leave}, before its steps. */
  Operation join() {
    return join;
  }

  /** Returns the operation after which the worker {@link #leaving} takes no part. */
  Operation leave() {
    return leave;
  }

  /** Returns the index of the worker that leaves, an int32: this worker unless another is fed. */
  Output leaving() {
    return leaving;
  }

  /** Counts a step of this worker, and waits until it may begin the next. */
  Operation tick(Ops after) {
    Output all = membership.readClocks(after);
    Output mine = after.gather(all, after.constant(membership.own()));
    Output counted =
        after.math.shift(
            after.where(Membership.isPresent(after, mine), mine, entry(after, all)), 1);
    Ops opened =
        after.withControlDependencies(
            openReached(
                after.withControlDependencies(
                    membership.setClock(after, counted),
                    ownGate.in(after).setGlobalStep(counted))));
    return ownGate.in(opened).takeGradient(1).operation();
  }

  private Operation buildJoin() {
    Output entry = entry(beside, membership.readClocks(beside));
    Ops moved = beside.withControlDependencies(ownGate.in(beside).setGlobalStep(entry));
    Ops passable =
        moved.withControlDependencies(
            ownGate.in(moved).applyGradient(moved.constant(0f), Membership.clock(moved, FOREVER)));
    // Messages to an earlier process of this worker must not let the first step pass.
    Operation emptied = ownGate.in(passable).takeGradient(1).operation();
    return beside.group(List.of(membership.setClock(beside, entry), membership.beat(), emptied));
  }

  private Operation buildLeave() {
    Ops gone =
        beside.withControlDependencies(
            membership.setClock(beside, leaving, Membership.clock(beside, Membership.ABSENT)));
    Output workers = gone.range(gone.constant(0), gone.constant(gates.size()), gone.constant(1));
    Output steps =
        gone.where(
            gone.equal(workers, leaving),
            Membership.clock(gone, FOREVER),
            Membership.clock(gone, NEVER));
    List<Operation> all = new ArrayList<>();
    all.add(openReached(gone));
    all.addAll(open(gone, gone.array.unpack(steps, gates.size(), 0)));
    return gone.group(all);
  }

  /** Opens all gates to workers that are no further ahead of the slowest than the bound. */
  private Operation openReached(Ops tf) {
    Output reached = tf.math.shift(tf.min(membership.readClocks(tf), 0), bound);
    return tf.group(open(tf, Collections.nCopies(gates.size(), reached)));
  }

  /** Opens each gate to steps up to one. */
  private List<Operation> open(Ops tf, List<Output> steps) {
    Output zero = tf.constant(0f);
    List<Operation> all = new ArrayList<>();
    for (int i = 0; i < gates.size(); i++) {
      all.add(gates.get(i).in(tf).applyGradient(zero, steps.get(i)));
    }
    return all;
  }

  /** Returns the clock of the slowest worker, or 0 for the first worker to join. */
  private static Output entry(Ops tf, Output all) {
    Output slowest = tf.min(all, 0);
    return tf.where(Membership.isPresent(tf, slowest), slowest, Membership.clock(tf, 0));
  }
}
