package dev.tributary.internal.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Settings of a while loop.
 *
 * @param name the prefix of its operations' names
 * @param parallelIterations how many iterations may be in progress at the same time
 * @param shapeInvariants what is known of each variable's shape in all iterations; empty if that is
 *     the shape it enters with
 * @param maximumIterations after how many iterations the loop ends although its condition holds
 * @param recall for a loop that computes gradients of another one
 */
public record WhileOptions(
    String name,
    int parallelIterations,
    List<Shape> shapeInvariants,
    OptionalInt maximumIterations,
    Optional<Recall> recall) {
  public WhileOptions {
    shapeInvariants = List.copyOf(shapeInvariants);
    if (parallelIterations < 1) {
      throw TributaryException.invalidArgument(
          "parallel iterations must be at least 1, got %d", parallelIterations);
    }
    if (maximumIterations.isPresent() && maximumIterations.getAsInt() < 0) {
      throw TributaryException.invalidArgument(
          "maximum iterations must be 0 or more, got %d", maximumIterations.getAsInt());
    }
  }

  public static WhileOptions defaults() {
    return new WhileOptions("while", 10, List.of(), OptionalInt.empty(), Optional.empty());
  }

  public WhileOptions named(String loopName) {
    return new WhileOptions(
        loopName, parallelIterations, shapeInvariants, maximumIterations, recall);
  }

  public WhileOptions withParallelIterations(int count) {
    return new WhileOptions(name, count, shapeInvariants, maximumIterations, recall);
  }

  public WhileOptions withShapeInvariants(List<Shape> shapes) {
    return new WhileOptions(name, parallelIterations, shapes, maximumIterations, recall);
  }

  public WhileOptions withMaximumIterations(int count) {
    return new WhileOptions(
        name, parallelIterations, shapeInvariants, OptionalInt.of(count), recall);
  }

  /** The same for a loop that has a counter as its first variable, and needs no limit any more. */
  public WhileOptions counted() {
    List<Shape> shapes = new ArrayList<>(shapeInvariants);
    if (!shapes.isEmpty()) {
      shapes.add(0, Shape.scalar());
    }
    return new WhileOptions(name, parallelIterations, shapes, OptionalInt.empty(), recall);
  }

  public WhileOptions withRecall(Recall forward) {
    return new WhileOptions(
        name, parallelIterations, shapeInvariants, maximumIterations, Optional.of(forward));
  }
}
