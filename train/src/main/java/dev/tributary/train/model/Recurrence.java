package dev.tributary.train.model;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.TensorArray;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A cell that is applied to each step of a sequence, in a loop. What a cell computes of its inputs
 * alone is computed for all steps at once, before the loop.
 */
final class Recurrence {
  /** Computes one step. */
  @FunctionalInterface
  interface Cell {
    /**
     * Returns the states after the step; the first one is the output.
     *
     * @param projected what was computed of this step's inputs
     */
    List<Output> next(Ops tf, Output projected, List<Output> states);
  }

  private final Ops tf;
  private final Output projected;
  private final int units;

  /**
   * @param projected what was computed of the inputs, {@code [n, time, units or more]}
   * @param units the size of each state
   */
  Recurrence(Ops tf, Output projected, int units) {
    this.tf = tf;
    this.projected = projected;
    this.units = units;
  }

  /**
   * Runs a cell, whose states begin with zeros.
   *
   * @param sequences whether the outputs of all steps are wanted, {@code [n, time, units]}, rather
   *     than that of the last one, {@code [n, units]}
   */
  Output run(int states, boolean sequences, Cell cell) {
    DataType type = projected.type();
    Output byTime = tf.transpose(projected, 1, 0, 2);
    Output steps = tf.unstack(tf.shape(byTime), 0).get(0);
    long rows = projected.shape().size(0);
    long size = projected.shape().size(2);
    TensorArray inputs = TensorArray.of(tf, type, Shape.of(rows, size), steps).unstack(byTime);
    TensorArray outputs = TensorArray.of(tf, type, Shape.of(rows, units), steps);

    List<Output> start = new ArrayList<>(List.of(tf.constant(0), outputs.flow()));
    start.addAll(Collections.nCopies(states, zeros()));
    List<Output> end =
        tf.flow.whileLoop(
            start,
            (inner, values) -> inner.less(values.get(0), steps),
            (inner, values) -> {
              Output step = values.get(0);
              Output input = inputs.withFlow(inner, inputs.flow()).read(step);
              List<Output> next = cell.next(inner, input, values.subList(2, values.size()));
              Output flow =
                  sequences
                      ? outputs.withFlow(inner, values.get(1)).write(step, next.get(0)).flow()
                      : values.get(1);
              List<Output> result =
                  new ArrayList<>(List.of(inner.add(step, inner.constant(1)), flow));
              result.addAll(next);
              return result;
            });
    return sequences ? tf.transpose(outputs.withFlow(tf, end.get(1)).stack(), 1, 0, 2) : end.get(2);
  }

  private Output zeros() {
    return tf.fill(stateShape(), tf.cast(tf.constant(0f), projected.type()));
  }

  /** A constant if it can be one, so that the loop and its gradient know the shapes of all. */
  private Output stateShape() {
    long rows = projected.shape().size(0);
    return rows == Shape.UNKNOWN
        ? tf.stack(tf.unstack(tf.shape(projected), 0).get(0), tf.constant(units))
        : tf.constant(new int[] {Math.toIntExact(rows), units});
  }
}
