package dev.tributary.internal.memory;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;

/** The elements of a string, resource or variant tensor, which live on the Java heap. */
public final class ObjectStorage extends Storage {
  private final Object[] elements;
  private final boolean hasVariants;

  /**
   * @param hasVariants whether elements may be {@linkplain Variant variants}, each with a reference
   *     that goes over to this storage
   */
  public ObjectStorage(Object[] elements, boolean hasVariants) {
    super(0);
    this.elements = elements;
    this.hasVariants = hasVariants;
  }

  /** Room for this many elements, all absent. */
  public static ObjectStorage ofSize(long count, boolean hasVariants) {
    try {
      // No array is longer than this; one of exactly this length fails like any other that is too
      // large.
      return new ObjectStorage(new Object[(int) Math.min(count, Integer.MAX_VALUE)], hasVariants);
    } catch (OutOfMemoryError e) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          "no Java heap for a tensor of " + count + " strings or other objects",
          e);
    }
  }

  /** The elements themselves, not a copy. */
  public Object[] elements() {
    return elements;
  }

  @Override
  void free() {
    if (hasVariants) {
      for (Object element : elements) {
        Variant.end(element);
      }
    }
  }
}
