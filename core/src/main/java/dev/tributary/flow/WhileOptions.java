package dev.tributary.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a while loop.
 *
 * @param name the prefix of its operations' names
 * @param parallelIterations how many iterations may be in progress at the same time
 * @param shapeInvariants what is known of each variable's shape in all iterations; empty if that is
 *     the shape it enters with
 * @param recall for a loop that computes gradients of another one
 */
public record WhileOptions(
    String name, int parallelIterations, List<Shape> shapeInvariants, Optional<Recall> recall) {
  public WhileOptions {
    shapeInvariants = List.copyOf(shapeInvariants);
    if (parallelIterations < 1) {
      throw TributaryException.invalidArgument(
          "parallel iterations must be at least 1, got %d", parallelIterations);
    }
  }

  public static WhileOptions defaults() {
    return new WhileOptions("while", 10, List.of(), Optional.empty());
  }

  public WhileOptions named(String loopName) {
    return new WhileOptions(loopName, parallelIterations, shapeInvariants, recall);
  }

  public WhileOptions withParallelIterations(int count) {
    return new WhileOptions(name, count, shapeInvariants, recall);
  }

  public WhileOptions withShapeInvariants(List<Shape> shapes) {
    return new WhileOptions(name, parallelIterations, shapes, recall);
  }

  public WhileOptions withRecall(Recall forward) {
    return new WhileOptions(name, parallelIterations, shapeInvariants, Optional.of(forward));
  }
}
