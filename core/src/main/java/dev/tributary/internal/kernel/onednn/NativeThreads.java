package dev.tributary.internal.kernel.onednn;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The threads that may compute in native code at once, shared by all callers: a call takes as many
 * as it works with and gives them back when it is done. Calls that do not fit wait, the first one
 * first, so that many sessions in one process do not compute on more threads than there are cores.
 * Thread-safe.
 *
 * <p>A call never gets fewer threads than it asked for, because results depend on how work is cut.
 */
final class NativeThreads {
  /** One for each core of the process. */
  static final NativeThreads OF_PROCESS =
      new NativeThreads(Runtime.getRuntime().availableProcessors(), TimeUnit.MINUTES.toMillis(10));

  private final int limit;
  private final long patienceMillis;
  private final Semaphore free;

  NativeThreads(int limit, long patienceMillis) {
    this.limit = limit;
    this.patienceMillis = patienceMillis;
    this.free = new Semaphore(limit, true);
  }

  /** Returns how many threads a call gets that would like so many. */
  int granted(int wanted) {
    return Math.min(wanted, limit);
  }

  /** Takes what {@link #granted} tells for {@code wanted}; an interrupt is kept for later. */
  void take(int wanted) {
    final int threads = granted(wanted);
    final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          if (!free.tryAcquire(threads, deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw exhausted(threads);
          }
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Gives back what {@link #take} took. */
  void give(int wanted) {
    free.release(granted(wanted));
  }

  private TributaryException exhausted(int threads) {
    return new TributaryException(
        ErrorCode.RESOURCE_EXHAUSTED,
        String.format(
            "a native call waited %d ms for %d of the process's %d threads, of which %d were free",
            patienceMillis, threads, limit, free.availablePermits()));
  }
}
