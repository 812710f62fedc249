package dev.tributary.internal.flow;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;

/**
 * The nodes of one variable of a while loop. Confined to the thread that builds the loop until the
 * loop is closed, then immutable.
 */
public final class LoopVariable {
  private final Output initial;
  private final Operation merge;
  private Operation chooser;
  private Output inBody;
  private Output result;
  private Output exit;

  LoopVariable(Output initial, Operation merge) {
    this.initial = initial;
    this.merge = merge;
  }

  /** The value that enters the loop, as seen around it. */
  public Output initial() {
    return initial;
  }

  /** The value at the start of an iteration, which the condition sees. */
  public Output atStart() {
    return merge.output(0);
  }

  /** The value in an iteration that takes place, which the body sees. */
  public Output inBody() {
    return inBody;
  }

  /** The value that the body computes for it. */
  public Output result() {
    return result;
  }

  /** The value after the last iteration, as seen around the loop. */
  public Output exit() {
    return exit;
  }

  Operation merge() {
    return merge;
  }

  /** The last value, inside the loop. */
  Output last() {
    return chooser.output(0);
  }

  void choose(Operation switchNode, Output body) {
    chooser = switchNode;
    inBody = body;
  }

  void close(Output value, Output exitValue) {
    result = value;
    exit = exitValue;
  }
}
