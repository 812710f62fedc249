package dev.tributary.internal.memory;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;

/** The elements of a string, resource or variant tensor, which live on the Java heap. */
public final class ObjectStorage extends Storage {
  /** The bytes of a string besides its content: an array's header, and a reference to it. */
  private static final long STRING = 24;

  private final Object[] elements;
  private final boolean hasVariants;

  /** The budget that counts the strings; null until there is one. */
  private MemoryBudget countedBy;

  private volatile long countedBytes;

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

  /**
   * Counts the strings until this is freed. The first budget counts them all, further ones do
   * nothing. RESOURCE_EXHAUSTED if they do not fit.
   */
  public synchronized void countStrings(MemoryBudget budget) {
    if (countedBy != null) {
      return;
    }
    if (budget != MemoryBudget.UNLIMITED) {
      long bytes = stringBytes();
      budget.reserve(bytes, "a tensor of strings");
      countedBytes = bytes;
    }
    countedBy = budget;
  }

  /** Returns the bytes that {@link #countStrings} has counted. */
  public long countedBytes() {
    return countedBytes;
  }

  /** One string in many places, as a broadcast leaves it, is there once. */
  private long stringBytes() {
    long bytes = 0;
    Object last = null;
    for (Object element : elements) {
      if (element instanceof byte[] content && element != last) {
        bytes += STRING + content.length;
      }
      last = element;
    }
    return bytes;
  }

  @Override
  void free() {
    synchronized (this) {
      if (countedBytes > 0) {
        countedBy.release(countedBytes);
      }
    }
    if (hasVariants) {
      for (Object element : elements) {
        Variant.end(element);
      }
    }
  }
}
