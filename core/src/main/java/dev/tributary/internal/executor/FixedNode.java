package dev.tributary.internal.executor;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.tensor.DataType;

/**
 * A node of a {@link FixedOrder}: where its values are, and which of them end with it. Steps of
 * many tiny nodes wait for these objects to come from memory, so nodes share arrays that are equal.
 */
class FixedNode {
  final NodeItem item;
  final Kernel kernel;
  final DataType[] outputTypes;

  /** For each input, the number of its value. */
  final int[] inputs;

  /**
   * A bit for each of the first 64 inputs: whether nobody uses its value after this node or at
   * another input of it.
   */
  private final long owned;

  /** The inputs whose values nobody uses after this node, each value once. */
  final int[] lastUses;

  /** The number of the value of output 0; the others follow. */
  final int firstOutput;

  /** The numbers of values that nobody uses. */
  final int[] unusedOutputs;

  /** The inputs that get a reference to a variable. */
  final int[] references;

  FixedNode(
      NodeItem item,
      int[] inputs,
      long owned,
      int[] lastUses,
      int firstOutput,
      int[] unusedOutputs,
      int[] references) {
    this.item = item;
    this.kernel = item.kernel;
    this.outputTypes = item.outputTypes;
    this.inputs = inputs;
    this.owned = owned;
    this.lastUses = lastUses;
    this.firstOutput = firstOutput;
    this.unusedOutputs = unusedOutputs;
    this.references = references;
  }

  FixedNode(FixedNode other) {
    this(
        other.item,
        other.inputs,
        other.owned,
        other.lastUses,
        other.firstOutput,
        other.unusedOutputs,
        other.references);
  }

  boolean owns(int input) {
    return input < Long.SIZE && (owned >>> input & 1) != 0;
  }
}
