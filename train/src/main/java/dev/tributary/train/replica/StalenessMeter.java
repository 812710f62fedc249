package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.train.internal.SharedState;
import java.util.List;

/**
 * The staleness of applied gradients, added up in variables beside the global step that all workers
 * share. They are not saved to checkpoints; the chief initializes them. Confined to the thread that
 * builds the graph.
 */
final class StalenessMeter {
  private final Variable last;
  private final Variable sum;
  private final Variable applied;

  private StalenessMeter(Variable last, Variable sum, Variable applied) {
    this.last = last;
    this.sum = sum;
    this.applied = applied;
  }

  /**
   * @param beside the scope of the global step's device
   */
  static StalenessMeter of(Ops beside) {
    return new StalenessMeter(
        SharedState.scalar(beside, "staleness_last", DataType.FLOAT),
        SharedState.scalar(beside, "staleness_sum", DataType.INT64),
        SharedState.scalar(beside, "gradients_applied", DataType.INT64));
  }

  /** Returns the shared variables, which the chief initializes. */
  List<Variable> variables() {
    return List.of(last, sum, applied);
  }

  /**
   * Records an update.
   *
   * @param difference the number of steps between the reading of the variables and the update,
   *     added up over the gradients of the update, an int64
   * @param gradients the number of gradients of the update, an int64
   */
  Operation record(Ops tf, Output difference, Output gradients) {
    // A chief that restores a checkpoint sets the global step back while workers have read a later
    // one. No other step was made since then, so their gradients are not stale.
    Output staleness = tf.maximum(difference, tf.constant(DataType.INT64, 0));
    return tf.group(
        List.of(
            last.in(tf).assign(ratio(tf, staleness, gradients)),
            sum.in(tf).assignAdd(staleness),
            applied.in(tf).assignAdd(gradients)));
  }

  /** Reads the number of gradients applied, an int64, in a scope. */
  Output applied(Ops tf) {
    return applied.in(tf).read();
  }

  /**
   * Returns the measurements.
   *
   * @param dropped the number of gradients that were dropped
   */
  Staleness staleness(Ops tf, Output dropped) {
    Output mean = ratio(tf, sum.value(), applied.value());
    return new Staleness(last.value(), mean, applied.value(), dropped);
  }

  private static Output ratio(Ops tf, Output dividend, Output divisor) {
    return tf.math.divNoNan(tf.cast(dividend, DataType.FLOAT), tf.cast(divisor, DataType.FLOAT));
  }
}
