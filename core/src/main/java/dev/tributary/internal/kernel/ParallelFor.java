package dev.tributary.internal.kernel;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * Runs the pieces of one operation side by side. {@link #run} returns when all pieces are done; it
 * may be called by several threads at once and from within a piece. The first failure of a piece is
 * thrown to the caller, and pieces not yet begun are then left out. How work is cut must never
 * depend on timing, so that results are the same in every run.
 */
public interface ParallelFor {
  /** Everything on the calling thread. */
  ParallelFor INLINE =
      new ParallelFor() {
        @Override
        public int threads() {
          return 1;
        }

        @Override
        public void run(int chunks, IntConsumer body) {
          for (int i = 0; i < chunks; i++) {
            body.accept(i);
          }
        }
      };

  /** One piece of a range: the indices from {@code from} up to but without {@code to}. */
  @FunctionalInterface
  interface Range {
    void accept(long from, long to);
  }

  /** The number of threads that may work at once, the caller included. */
  int threads();

  /** Calls {@code body} once with each of 0 to {@code chunks - 1}, in any order. */
  void run(int chunks, IntConsumer body);

  /**
   * Asks {@code body} about each of 0 to {@code chunks - 1}, in any order, and returns whether all
   * answers were true. After another answer, it may leave out the rest.
   */
  default boolean all(int chunks, IntPredicate body) {
    final AtomicBoolean all = new AtomicBoolean(true);
    run(
        chunks,
        i -> {
          if (all.get() && !body.test(i)) {
            all.set(false);
          }
        });
    return all.get();
  }

  /**
   * Cuts 0 to {@code total - 1} into pieces of {@code grain} indices or more, a few for each
   * thread, and runs them.
   */
  default void range(long total, long grain, Range body) {
    if (total <= 0) {
      return;
    }
    long pieces = Math.min((total + grain - 1) / grain, threads() == 1 ? 1 : 4L * threads());
    if (pieces <= 1) {
      body.accept(0, total);
      return;
    }
    long length = (total + pieces - 1) / pieces;
    run(
        (int) ((total + length - 1) / length),
        i -> body.accept(i * length, Math.min(total, (i + 1) * length)));
  }
}
