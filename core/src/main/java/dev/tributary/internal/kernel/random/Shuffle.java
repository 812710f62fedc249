package dev.tributary.internal.kernel.random;

/** TensorFlow's order for shuffling the slices of a tensor along its first dimension. */
public final class Shuffle {
  private Shuffle() {}

  /**
   * A permutation of {@code 0..size-1}: slice {@code i} of the output is slice {@code
   * permutation[i]} of the input. Sizes 0 and 1 leave the state as it is; others reserve {@code
   * size - 1} words of it.
   */
  public static int[] permutation(GuardedPhilox state, int size) {
    final int[] permutation = new int[size];
    for (int i = 0; i < size; i++) {
      permutation[i] = i;
    }
    if (size > 1) {
      WordSource words = new WordSource(state.reserveWords(size - 1));
      for (int i = 0; i < size - 1; i++) {
        int other = i + Integer.remainderUnsigned(words.next(), size - i);
        int swapped = permutation[i];
        permutation[i] = permutation[other];
        permutation[other] = swapped;
      }
    }
    return permutation;
  }
}
