package dev.tributary.internal.kernel;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;

/** Sizes of tensors as lengths of the Java arrays in which some kernels keep rows or sums. */
public final class ArrayLength {
  private ArrayLength() {}

  /** The same number, if a Java array can be as long. */
  public static int of(long size) {
    if (size < 0 || size > Integer.MAX_VALUE - 8) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          "a row of " + size + " elements is longer than this kernel can hold");
    }
    return (int) size;
  }
}
