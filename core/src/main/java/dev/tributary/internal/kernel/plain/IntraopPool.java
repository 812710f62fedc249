package dev.tributary.internal.kernel.plain;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ParallelFor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * A {@link ParallelFor} over a fixed number of daemon threads. The caller works too, and waits only
 * for pieces which another thread has already begun: hence nested and concurrent calls cannot block
 * each other, even when all threads are busy. Pieces of one call never run inside another call's
 * wait, so a thread's scratch memory belongs to one piece at a time.
 *
 * <p>Thread-safe. {@link #close} stops the threads; calls made later run on the caller alone.
 */
public final class IntraopPool implements ParallelFor, AutoCloseable {
  private final int threads;
  private final ThreadPoolExecutor helpers;

  /**
   * A pool in which {@code threads} threads work at once, the caller being one; 1 makes no thread
   * at all.
   */
  public IntraopPool(int threads) {
    if (threads < 1) {
      throw TributaryException.invalidArgument(
          "the number of intra-op threads must be 1 or more, got %d", threads);
    }
    this.threads = threads;
    int count = Math.max(1, threads - 1);
    AtomicInteger number = new AtomicInteger();
    helpers =
        new ThreadPoolExecutor(
            count,
            count,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "tributary-intraop-" + number.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    helpers.allowCoreThreadTimeOut(true);
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public void run(int chunks, IntConsumer body) {
    int wanted = Math.min(threads, chunks) - 1;
    if (wanted <= 0) {
      ParallelFor.INLINE.run(chunks, body);
      return;
    }
    Call call = new Call(chunks, body, Thread.currentThread());
    for (int i = 0; i < wanted; i++) {
      helpers.execute(call);
    }
    call.run();
    call.await();
  }

  @Override
  public void close() {
    helpers.shutdown();
  }

  /** One {@link IntraopPool#run}: threads draw chunk numbers until none is left. */
  private static final class Call implements Runnable {
    private final int chunks;
    private final IntConsumer body;
    private final Thread caller;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Call(int chunks, IntConsumer body, Thread caller) {
      this.chunks = chunks;
      this.body = body;
      this.caller = caller;
    }

    @Override
    public void run() {
      for (int chunk = next.getAndIncrement(); chunk < chunks; chunk = next.getAndIncrement()) {
        try {
          if (failure.get() == null) {
            body.accept(chunk);
          }
        } catch (Throwable e) {
          failure.compareAndSet(null, e);
        }
        if (done.incrementAndGet() == chunks) {
          LockSupport.unpark(caller);
        }
      }
    }

    void await() {
      boolean interrupted = false;
      for (int spins = 0; done.get() < chunks; spins++) {
        if (spins < 200) {
          Thread.onSpinWait();
        } else {
          LockSupport.park(this);
          interrupted |= Thread.interrupted();
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      rethrow(failure.get());
    }

    private static void rethrow(Throwable failure) {
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      if (failure instanceof Error e) {
        throw e;
      }
    }
  }
}
