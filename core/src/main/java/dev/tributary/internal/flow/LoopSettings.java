package dev.tributary.internal.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a while loop in the graph.
 *
 * @param parallelIterations the most iterations that may be in progress at the same time
 * @param shapeInvariants each variable's shape in all iterations; empty if every variable keeps the
 *     shape it enters with
 * @param recall for a loop that computes gradients of another one
 */
public record LoopSettings(
    int parallelIterations, List<Shape> shapeInvariants, Optional<Recall> recall) {
  public LoopSettings {
    shapeInvariants = List.copyOf(shapeInvariants);
    requireParallelIterations(parallelIterations);
  }

  public LoopSettings(int parallelIterations, List<Shape> shapeInvariants) {
    this(parallelIterations, shapeInvariants, Optional.empty());
  }

  /** Fails unless so many iterations can be in progress. */
  public static void requireParallelIterations(int count) {
    if (count < 1) {
      throw TributaryException.invalidArgument(
          "parallel iterations must be at least 1, got %d", count);
    }
  }
}
