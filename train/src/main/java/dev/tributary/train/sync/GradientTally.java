package dev.tributary.train.sync;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Accumulator;
import dev.tributary.ops.AccumulatorOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.staleness.Staleness;
import dev.tributary.train.staleness.StalenessMeter;
import dev.tributary.train.variable.SharedState;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells how many gradients made steps, how old they were, and how many were dropped. No accumulator
 * says whether it has dropped a gradient; but what each worker adds to one more of them, a one and
 * its local step, meets the same fate as its gradient, and the sum of what the chief takes tells
 * both numbers. What workers have brought and the chief has not taken, nor will, was dropped.
 * Confined to the thread that builds the graph.
 */
final class GradientTally {
  private static final DataType SUM_TYPE = DataType.DOUBLE;

  private final Accumulator accumulator;
  private final Variable brought;
  private final StalenessMeter meter;

  private GradientTally(Accumulator accumulator, Variable brought, StalenessMeter meter) {
    this.accumulator = accumulator;
    this.brought = brought;
    this.meter = meter;
  }

  /**
   * @param beside where the global step is
   */
  static GradientTally of(Ops beside) {
    Accumulator accumulator =
        beside
            .withName("sync_rep_tally")
            .accumulators
            .conditionalAccumulator(
                AccumulatorOptions.of(SUM_TYPE, Shape.of(2))
                    .withSharedName("sync_rep_tally")
                    .withReduction(AccumulatorOptions.Reduction.SUM));
    return new GradientTally(
        accumulator,
        SharedState.scalar(beside, "gradients_brought", DataType.INT64),
        StalenessMeter.of(beside));
  }

  /** Says that this worker has added the gradients of a step. */
  Operation bring(Ops tf, Output localStep) {
    Output one = tf.constant(SUM_TYPE, 1);
    Output entry = tf.join.pack(List.of(one, tf.cast(localStep, SUM_TYPE)), 0);
    Ops after = tf.withControlDependencies(accumulator.in(tf).applyGradient(entry, localStep));
    return brought.in(after).assignAdd(after.constant(DataType.INT64, 1));
  }

  /** How many have been brought for the step that comes. */
  Output count(Ops tf) {
    return accumulator.in(tf).accumulated();
  }

  /** Waits for the entries of {@code required} gradients, and takes all. */
  Output take(Ops tf, Output required) {
    return accumulator.in(tf).takeGradient(required);
  }

  /**
   * Notes an update.
   *
   * @param entries what was taken
   * @param globalStep at which the gradients were applied, an int64
   */
  Operation record(Ops tf, Output entries, Output globalStep) {
    Output numbers = tf.cast(entries, DataType.INT64);
    Output gradients = tf.gather(numbers, tf.constant(0));
    Output localSteps = tf.gather(numbers, tf.constant(1));
    Output staleness = tf.sub(tf.mul(gradients, globalStep), localSteps);
    return meter.record(tf, staleness, gradients);
  }

  /** Drops what is brought for earlier steps from now on. */
  Operation setStep(Ops tf, Output globalStep) {
    return accumulator.in(tf).setGlobalStep(globalStep);
  }

  /** Begins to count, at a global step. */
  Operation init(Ops tf, Output globalStep) {
    List<Operation> all = new ArrayList<>();
    meter.variables().forEach(variable -> all.add(variable.initializer()));
    all.add(setStep(tf, globalStep));
    all.add(brought.in(tf).assign(tf.cast(count(tf), DataType.INT64)));
    return tf.group(all);
  }

  /** What has a value once the chief has begun. */
  List<Variable> variables() {
    List<Variable> all = new ArrayList<>(meter.variables());
    all.add(brought);
    return all;
  }

  /** What was measured. A gradient on its way may be missing for a moment. */
  Staleness staleness(Ops tf) {
    Output waiting = tf.cast(count(tf), DataType.INT64);
    Output dropped = tf.sub(tf.sub(brought.value(), meter.applied(tf)), waiting);
    return meter.staleness(tf, tf.maximum(dropped, tf.constant(DataType.INT64, 0)));
  }
}
