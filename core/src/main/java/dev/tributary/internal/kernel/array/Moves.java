package dev.tributary.internal.kernel.array;

import dev.tributary.internal.kernel.loop.StridedCopy;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.Tensor;

/** Moves blocks of elements between tensors of one type, whatever that type is. */
public final class Moves {
  private Moves() {}

  /**
   * Copies a block of the given sizes. Offsets and strides count elements; strides may be 0
   * (repeat) or negative (reverse).
   */
  public static void copy(
      long[] sizes,
      Tensor from,
      long fromOffset,
      long[] fromStrides,
      Tensor to,
      long toOffset,
      long[] toStrides) {
    if (from.type().isObject()) {
      StridedCopy.copy(
          sizes, from.objects(), fromOffset, fromStrides, to.objects(), toOffset, toStrides);
      return;
    }
    int size = from.type().size();
    StridedCopy.copy(
        size,
        sizes,
        from.storage().address() + fromOffset * size,
        fromStrides,
        to.storage().address() + toOffset * size,
        toStrides);
  }

  /** Copies a run of elements. */
  public static void run(Tensor from, long fromOffset, Tensor to, long toOffset, long count) {
    if (from.type().isObject()) {
      Variant.putAll(from.objects(), (int) fromOffset, to.objects(), (int) toOffset, (int) count);
      return;
    }
    int size = from.type().size();
    Memory.copy(
        from.storage().address() + fromOffset * size,
        to.storage().address() + toOffset * size,
        count * size);
  }

  /**
   * Copies runs of {@code length} elements, which start {@code fromStep} and {@code toStep}
   * elements apart.
   */
  public static void rows(
      long rows,
      long length,
      Tensor from,
      long fromOffset,
      long fromStep,
      Tensor to,
      long toOffset,
      long toStep) {
    copy(
        new long[] {rows, length},
        from,
        fromOffset,
        new long[] {fromStep, 1},
        to,
        toOffset,
        new long[] {toStep, 1});
  }
}
