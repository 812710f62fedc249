package dev.tributary.executor;

import dev.tributary.kernel.Kernel;
import dev.tributary.tensor.DataType;

/** A node of a {@link FixedOrder}: where its values are, and which of them end with it. */
final class FixedNode {
  final NodeItem item;
  final Kernel kernel;
  final DataType[] outputTypes;

  /** For each input, the number of its value. */
  final int[] inputs;

  /** For each input, whether nobody uses its value after this node or at another input of it. */
  final boolean[] owned;

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
      boolean[] owned,
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
}
