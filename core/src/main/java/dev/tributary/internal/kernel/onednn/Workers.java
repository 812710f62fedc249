package dev.tributary.internal.kernel.onednn;

import dev.tributary.internal.kernel.ParallelFor;

/**
 * The threads of a computation: Java's for pieces of work, and those of the library for its calls.
 */
final class Workers {
  private final ParallelFor parallel;
  private final NativeCalls calls;
  private final Workers alone;

  /** All threads of a backend. */
  Workers(ParallelFor parallel) {
    this.parallel = parallel;
    this.calls = new NativeCalls(parallel.threads());
    this.alone = parallel.threads() == 1 ? this : new Workers(ParallelFor.INLINE);
  }

  ParallelFor parallel() {
    return parallel;
  }

  NativeCalls calls() {
    return calls;
  }

  /** The calling thread by itself. */
  Workers alone() {
    return alone;
  }
}
