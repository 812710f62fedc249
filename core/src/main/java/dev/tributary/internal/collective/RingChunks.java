package dev.tributary.internal.collective;

/**
 * The pieces of a value on a ring, with TensorFlow's arithmetic: as many as members times
 * subdivisions, of equal sizes but for the last ones, which may be short or empty. A piece grows
 * past the next multiple of 64 bytes, also if it is one already.
 */
record RingChunks(long elements, int elementSize, int count) {
  private static final long ALIGNMENT = 64;

  private long elementsPerChunk() {
    long bytes = (elements + count - 1) / count * elementSize;
    long padded = bytes < ALIGNMENT ? ALIGNMENT : bytes + ALIGNMENT - bytes % ALIGNMENT;
    return padded / elementSize;
  }

  private long first(int chunk) {
    return Math.min(elements, chunk * elementsPerChunk());
  }

  /** Returns where a piece begins, in bytes from the beginning of the value. */
  long offset(int chunk) {
    return first(chunk) * elementSize;
  }

  /** Returns the elements in a piece. */
  long size(int chunk) {
    return first(chunk + 1) - first(chunk);
  }

  long bytes(int chunk) {
    return size(chunk) * elementSize;
  }
}
