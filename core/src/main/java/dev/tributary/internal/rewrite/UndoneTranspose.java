package dev.tributary.internal.rewrite;

import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.plan.StepNode;
import java.util.Optional;

/**
 * Transposes by constant permutations that leave dimensions where they are, alone or by undoing the
 * one before. The rank must be known, so that a permutation of wrong length is still refused.
 */
final class UndoneTranspose implements SimplificationRule {
  @Override
  public Optional<StepNode.Source> standIn(StepNode node) {
    Optional<long[]> outer = permutation(node);
    if (outer.isEmpty()) {
      return Optional.empty();
    }
    StepNode.Source input = node.inputs().get(0);
    if (isIdentity(outer.get(), input)) {
      return Optional.of(input);
    }
    return permutation(input.node())
        .map(inner -> compose(inner, outer.get()))
        .filter(both -> isIdentity(both, input.node().inputs().get(0)))
        .map(both -> input.node().inputs().get(0));
  }

  private static Optional<long[]> permutation(StepNode node) {
    return node.declaration().has(OpFlag.PERMUTES) && node.controlInputs().isEmpty()
        ? SimplificationRule.constant(node.inputs().get(1)).map(IndexTensors::all)
        : Optional.empty();
  }

  private static long[] compose(long[] inner, long[] outer) {
    long[] both = new long[outer.length];
    for (int i = 0; i < both.length; i++) {
      boolean valid = outer[i] >= 0 && outer[i] < inner.length;
      both[i] = valid ? inner[(int) outer[i]] : -1;
    }
    return both;
  }

  private static boolean isIdentity(long[] permutation, StepNode.Source input) {
    for (int i = 0; i < permutation.length; i++) {
      if (permutation[i] != i) {
        return false;
      }
    }
    return input.shape().hasRank() && input.shape().rank() == permutation.length;
  }
}
