package dev.tributary.internal.kernel.random;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.tensor.Tensor;
import java.util.function.IntFunction;

/** TensorFlow's order for shuffling the slices of a tensor along its first dimension. */
public final class Shuffle {
  private Shuffle() {}

  /**
   * A permutation of {@code 0..size-1}: slice {@code i} of the output is slice {@code
   * permutation[i]} of the input. Sizes 0 and 1 leave the state as it is; others reserve {@code
   * size - 1} words of it.
   */
  public static int[] permutation(GuardedPhilox state, int size) {
    return permutation(size > 1 ? state.reserveWords(size - 1) : new Philox(0, 0, 0), size);
  }

  /** A permutation by the words of a stream. */
  static int[] permutation(Philox stream, int size) {
    final int[] permutation = new int[size];
    for (int i = 0; i < size; i++) {
      permutation[i] = i;
    }
    if (size > 1) {
      WordSource words = new WordSource(stream);
      for (int i = 0; i < size - 1; i++) {
        int other = i + Integer.remainderUnsigned(words.next(), size - i);
        int swapped = permutation[i];
        permutation[i] = permutation[other];
        permutation[other] = swapped;
      }
    }
    return permutation;
  }

  /** Sets the output to the slices of the first input in another order. */
  public static void run(KernelContext context, IntFunction<Philox> streams) {
    Tensor value = context.input(0);
    if (value.rank() == 0 || value.elementCount() == 0 || value.shape().size(0) == 1) {
      context.setOutput(0, value.retain());
      return;
    }
    int rows = ArrayLength.of(value.shape().size(0));
    long length = value.elementCount() / rows;
    int[] order = permutation(streams.apply(rows), rows);
    Tensor output = context.allocateOutput(0, value.shape());
    for (int i = 0; i < rows; i++) {
      Moves.run(value, order[i] * length, output, i * length, length);
    }
  }
}
