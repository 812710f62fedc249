package dev.tributary.kernel.array;

import dev.tributary.kernel.loop.StridedCopy;
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
        from.address() + fromOffset * size,
        fromStrides,
        to.address() + toOffset * size,
        toStrides);
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
