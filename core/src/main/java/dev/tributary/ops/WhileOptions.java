package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.flow.LoopSettings;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Settings of a {@linkplain FlowOps#whileLoop while loop}. Immutable.
 *
 * @param parallelIterations the most iterations that may be in progress at the same time
 * @param shapeInvariants each variable's shape in all iterations; empty if every variable keeps the
 *     shape it enters with
 * @param maximumIterations the number of iterations after which the loop ends although its
 *     condition holds
 */
public record WhileOptions(
    int parallelIterations, List<Shape> shapeInvariants, OptionalInt maximumIterations) {
  public WhileOptions {
    shapeInvariants = List.copyOf(shapeInvariants);
    LoopSettings.requireParallelIterations(parallelIterations);
    if (maximumIterations.isPresent() && maximumIterations.getAsInt() < 0) {
      throw TributaryException.invalidArgument(
          "maximum iterations must be 0 or more, got %d", maximumIterations.getAsInt());
    }
  }

  /** Returns TensorFlow's defaults: ten parallel iterations, fixed shapes, no limit. */
  public static WhileOptions defaults() {
    return new WhileOptions(10, List.of(), OptionalInt.empty());
  }

  public WhileOptions withParallelIterations(int count) {
    return new WhileOptions(count, shapeInvariants, maximumIterations);
  }

  /** Returns options with one shape for each loop variable, which may be partly unknown. */
  public WhileOptions withShapeInvariants(List<Shape> shapes) {
    return new WhileOptions(parallelIterations, shapes, maximumIterations);
  }

  public WhileOptions withMaximumIterations(int count) {
    return new WhileOptions(parallelIterations, shapeInvariants, OptionalInt.of(count));
  }

  /** The same for a loop that has a counter as its first variable, and needs no limit any more. */
  WhileOptions counted() {
    List<Shape> shapes = new ArrayList<>(shapeInvariants);
    if (!shapes.isEmpty()) {
      shapes.add(0, Shape.scalar());
    }
    return new WhileOptions(parallelIterations, shapes, OptionalInt.empty());
  }
}
