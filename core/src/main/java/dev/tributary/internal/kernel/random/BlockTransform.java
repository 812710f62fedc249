package dev.tributary.internal.kernel.random;

/**
 * Turns raw random words into elements of an {@link ElementFormat}, in place; {@code count} is a
 * multiple of four.
 */
@FunctionalInterface
interface BlockTransform {
  void apply(int[] words, int count);
}
