package dev.tributary.tensor;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;

/** The elements of a string, resource or variant tensor, which live on the Java heap. */
final class ObjectStorage extends Storage {
  final Object[] elements;

  ObjectStorage(Object[] elements) {
    this.elements = elements;
  }

  /** Room for this many elements, all absent. */
  static ObjectStorage ofSize(long count) {
    try {
      // No array is longer than this; one of exactly this length fails like any other that is too
      // large.
      return new ObjectStorage(new Object[(int) Math.min(count, Integer.MAX_VALUE)]);
    } catch (OutOfMemoryError e) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          "no Java heap for a tensor of " + count + " strings or other objects",
          e);
    }
  }

  @Override
  void free() {}
}
