package dev.tributary.internal.memory;

/**
 * Sizes that blocks are rounded up to, four to each power of two from 64 bytes on, so that at most
 * a fifth of a block is waste and one free list serves many shapes.
 */
final class SizeClasses {
  static final int COUNT = 4 * 40;

  /** The largest size that has a class, 56 TiB. */
  static final long LARGEST = sizeOf(COUNT - 1);

  private static final int SMALLEST = 6;

  private SizeClasses() {}

  /** The smallest class that holds this many bytes, from 0 to {@link #LARGEST}. */
  static int indexOf(long bytes) {
    if (bytes <= 64) {
      return 0;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(bytes - 1);
    int quarter = (int) ((bytes - 1) >>> (exponent - 2)) & 3;
    return 4 * (exponent - SMALLEST) + quarter + 1;
  }

  /** The size of the smallest class that holds this many bytes. */
  static long round(long bytes) {
    return sizeOf(indexOf(bytes));
  }

  static long sizeOf(int index) {
    if (index == 0) {
      return 64;
    }
    int exponent = SMALLEST + (index - 1) / 4;
    return (1L << exponent) + ((index - 1) % 4 + 1) * (1L << (exponent - 2));
  }
}
