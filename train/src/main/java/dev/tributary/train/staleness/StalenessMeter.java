package dev.tributary.train.staleness;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.train.variable.SharedState;
import java.util.List;

/**
 * Adds up the staleness of gradients in variables that all workers share, beside the global step.
 * They are in no checkpoint; the chief initialises them. Confined to the thread that builds the
 * graph.
 */
public final class StalenessMeter {
  private final Variable last;
  private final Variable sum;
  private final Variable applied;

  private StalenessMeter(Variable last, Variable sum, Variable applied) {
    this.last = last;
    this.sum = sum;
    this.applied = applied;
  }

  /**
   * @param beside where the global step is
   */
  public static StalenessMeter of(Ops beside) {
    return new StalenessMeter(
        SharedState.scalar(beside, "staleness_last", DataType.FLOAT),
        SharedState.scalar(beside, "staleness_sum", DataType.INT64),
        SharedState.scalar(beside, "gradients_applied", DataType.INT64));
  }

  /** What the chief initialises. */
  public List<Variable> variables() {
    return List.of(last, sum, applied);
  }

  /**
   * Notes an update.
   *
   * @param difference the steps between the reading of the variables and the update, added up over
   *     the gradients of the update, an int64
   * @param gradients how many they were, an int64
   */
  public Operation record(Ops tf, Output difference, Output gradients) {
    // A chief that restores a checkpoint sets the global step back, under workers that have read a
    // later one. No other step was made since then, so their gradients are not stale.
    Output staleness = tf.maximum(difference, tf.constant(DataType.INT64, 0));
    return tf.group(
        List.of(
            last.in(tf).assign(ratio(tf, staleness, gradients)),
            sum.in(tf).assignAdd(staleness),
            applied.in(tf).assignAdd(gradients)));
  }

  /** How many gradients have changed the model, an int64, read in this scope. */
  public Output applied(Ops tf) {
    return applied.in(tf).read();
  }

  /**
   * What was measured.
   *
   * @param dropped how many gradients came too late
   */
  public Staleness staleness(Ops tf, Output dropped) {
    Output mean = ratio(tf, sum.value(), applied.value());
    return new Staleness(last.value(), mean, applied.value(), dropped);
  }

  private static Output ratio(Ops tf, Output dividend, Output divisor) {
    return tf.math.divNoNan(tf.cast(dividend, DataType.FLOAT), tf.cast(divisor, DataType.FLOAT));
  }
}
