package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Accumulator;
import dev.tributary.ops.AccumulatorOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.internal.SharedState;
import java.util.ArrayList;
import java.util.List;

/**
 * A count of the gradients that made steps, of their staleness, and of those that were dropped. An
 * accumulator does not report whether it has dropped a gradient. Therefore each worker adds an
 * entry, a one and its local step, to one more accumulator, which keeps or drops it as the others
 * do its gradients; the sum of the entries that the chief takes holds both numbers. Gradients that
 * were added and neither taken nor kept were dropped. Confined to the thread that builds the graph.
 */
final class GradientCounter {
  private static final String NAME = "sync_rep_gradient_count";
  private static final DataType SUM_TYPE = DataType.DOUBLE;

  private final Accumulator accumulator;
  private final Variable added;
  private final StalenessMeter meter;

  private GradientCounter(Accumulator accumulator, Variable added, StalenessMeter meter) {
    this.accumulator = accumulator;
    this.added = added;
    this.meter = meter;
  }

  /**
   * @param beside the scope of the global step's device
   */
  static GradientCounter of(Ops beside) {
    Accumulator accumulator =
        beside
            .withName(NAME)
            .queues
            .conditionalAccumulator(
                AccumulatorOptions.of(SUM_TYPE, Shape.of(2))
                    .withSharedName(NAME)
                    .withReduction(AccumulatorOptions.Reduction.SUM));
    return new GradientCounter(
        accumulator,
        SharedState.scalar(beside, "gradients_added", DataType.INT64),
        StalenessMeter.of(beside));
  }

  /** Counts that this worker has added the gradients of a step. */
  Operation add(Ops tf, Output localStep) {
    Output one = tf.constant(SUM_TYPE, 1);
    Output entry = tf.array.pack(List.of(one, tf.cast(localStep, SUM_TYPE)), 0);
    Ops after = tf.withControlDependencies(accumulator.in(tf).applyGradient(entry, localStep));
    return added.in(after).assignAdd(after.constant(DataType.INT64, 1));
  }

  /** Returns the number of gradients that wait for the next step. */
  Output pending(Ops tf) {
    return accumulator.in(tf).accumulated();
  }

  /** Waits for the entries of {@code required} gradients, and takes all. */
  Output take(Ops tf, Output required) {
    return accumulator.in(tf).takeGradient(required);
  }

  /**
   * Records an update.
   *
   * @param entries the result of {@link #take}
   * @param globalStep the step at which the gradients were applied, an int64
   */
  Operation record(Ops tf, Output entries, Output globalStep) {
    Output numbers = tf.cast(entries, DataType.INT64);
    Output gradients = tf.gather(numbers, tf.constant(0));
    Output localSteps = tf.gather(numbers, tf.constant(1));
    Output staleness = tf.sub(tf.mul(gradients, globalStep), localSteps);
    return meter.record(tf, staleness, gradients);
  }

  /** Drops entries of steps before the global one from now on. */
  Operation setStep(Ops tf, Output globalStep) {
    return accumulator.in(tf).setGlobalStep(globalStep);
  }

  /** Begins to count at a global step. */
  Operation init(Ops tf, Output globalStep) {
    List<Operation> all = new ArrayList<>();
    meter.variables().forEach(variable -> all.add(variable.initializer()));
    all.add(setStep(tf, globalStep));
    all.add(added.in(tf).assign(tf.cast(pending(tf), DataType.INT64)));
    return tf.group(all);
  }

  /** Returns the shared variables, which {@link #init} initializes. */
  List<Variable> variables() {
    List<Variable> all = new ArrayList<>(meter.variables());
    all.add(added);
    return all;
  }

  /** Returns the measurements. A gradient that is being added may be missing for a moment. */
  Staleness staleness(Ops tf) {
    Output waiting = tf.cast(pending(tf), DataType.INT64);
    Output dropped = tf.sub(tf.sub(added.value(), meter.applied(tf)), waiting);
    return meter.staleness(tf, tf.maximum(dropped, tf.constant(DataType.INT64, 0)));
  }
}
