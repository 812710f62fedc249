package dev.tributary.internal.kernel.onednn;

import dev.tributary.internal.kernel.GemmGeometry;

/**
 * Matrix products cut into groups of rows of the result, or of whole products, which threads take
 * as they come, so that one whose core does something else holds up nobody.
 *
 * @param size the number of rows or products of a part; the last part may have fewer
 */
record ProductParts(GemmGeometry whole, long size) {
  /**
   * From here on, products m * n * k are cut: 0.5 ms and more on one core with AVX-512, to which
   * waking a thread adds a tenth at most. Those of the course's mlp stay below.
   */
  private static final long LARGE = 1L << 26;

  /**
   * Up to here they are computed by the calling thread: 35 us on one core with AVX-512. The
   * recurrent layer of the course has products of half the size and was no faster on two threads of
   * a quiet machine; on a busy one they took four times the CPU time, waiting for each other.
   */
  private static final long SMALL = 1L << 22;

  /** With fewer rows, what is prepared of b for each part takes more than a tenth of the time. */
  private static final long FEWEST_ROWS = 128;

  private static final int PARTS_PER_THREAD = 4;

  /** Computes one part. */
  @FunctionalInterface
  interface Part {
    /**
     * Returns whether it was done.
     *
     * @param workers what the part may use
     * @param product the part, if its matrices were stored by themselves
     * @param a the number of elements of the whole's a before the part's; likewise {@code b} and
     *     {@code c}
     */
    boolean run(Workers workers, GemmGeometry product, long a, long b, long c);
  }

  /** The parts of products on so many threads. */
  static ProductParts of(GemmGeometry g, int threads) {
    final long all = total(g);
    if (threads == 1 || work(g) < LARGE) {
      return new ProductParts(g, all);
    }
    final long parts = (long) PARTS_PER_THREAD * threads;
    return new ProductParts(
        g, Math.max(g.batch() > 1 ? 1 : FEWEST_ROWS, (all + parts - 1) / parts));
  }

  /** Runs all parts; false if one was not done. */
  boolean run(Workers workers, Part part) {
    final long all = total(whole);
    if (size >= all) {
      return part.run(work(whole) <= SMALL ? workers.alone() : workers, whole, 0, 0, 0);
    }
    return workers
        .parallel()
        .all(
            Math.toIntExact((all + size - 1) / size),
            i -> run(workers.alone(), part, i * size, Math.min(size, all - i * size)));
  }

  private boolean run(Workers alone, Part part, long first, long count) {
    final GemmGeometry g = whole;
    return g.batch() > 1
        ? part.run(
            alone,
            g.withBatch(count),
            first * g.strideA(),
            first * g.strideB(),
            first * g.m() * g.n())
        : part.run(
            alone, g.withRows(count), first * (g.transposeA() ? 1 : g.k()), 0, first * g.n());
  }

  private static long total(GemmGeometry g) {
    return g.batch() > 1 ? g.batch() : g.m();
  }

  private static long work(GemmGeometry g) {
    return g.batch() * g.m() * g.n() * g.k();
  }
}
