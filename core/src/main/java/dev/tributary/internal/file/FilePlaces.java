package dev.tributary.internal.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The places for file work that the sessions of a task share, and the threads behind them. Guarded
 * by its own monitor, under which no work is done; safe for use by many threads.
 *
 * <p>{@value #PLACES} pieces of work run at a time. When all places are taken, a session that has
 * none still gets one, so that no other session can keep it from its files. Sessions that wait for
 * more take turns. So there are at most as many threads as places and sessions, and those that are
 * stuck in work that was {@linkplain #leave left}.
 *
 * <p>With {@value #MOST_LEFT} threads stuck, sessions to which some of them belong are refused;
 * with {@value #MOST_LEFT_OF_ALL}, all are, until some of the threads come back.
 */
final class FilePlaces {
  /** The part of one session. The places guard it by their monitor. */
  static final class Share {
    private final Deque<FileTask> waiting = new ArrayDeque<>();
    private int running;
    private int left;
  }

  /** More than enough to keep a disk busy. */
  static final int PLACES = 16;

  /** Stuck threads cost memory for their stacks, and there seem to be no files to be had. */
  static final int MOST_LEFT = 48;

  /** Whoever opens new sessions all the time must not get any number of threads. */
  static final int MOST_LEFT_OF_ALL = 256;

  private static final long IDLE_SECONDS = 10;
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final ThreadPoolExecutor pool;

  /** The shares with work that waits, in the order of their turns. */
  @GuardedBy("this")
  private final Set<Share> waiting = new LinkedHashSet<>();

  @GuardedBy("this")
  private final Set<FileTask> left = new LinkedHashSet<>();

  @GuardedBy("this")
  private int running;

  FilePlaces(String role) {
    AtomicInteger number = new AtomicInteger();
    // The number of tasks given to it is bounded here, where it is known which of them are left.
    pool =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, role + "-file-" + number.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** See {@link FileThreads#begin}. */
  void begin(Share share, FileTask task) {
    synchronized (this) {
      if (task.state == FileTask.State.LEFT) {
        return;
      }
      if (left.size() >= (share.left > 0 ? MOST_LEFT : MOST_LEFT_OF_ALL)) {
        throw stuck();
      }
      task.share = share;
      if (running >= PLACES && share.running > 0) {
        enqueue(task, false);
        return;
      }
      start(task);
    }
    if (!isTaken(task)) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED, "the system has no thread left to use files on");
    }
  }

  /** See {@link FileThreads#leave}. */
  boolean leave(FileTask task) {
    Optional<FileTask> next = Optional.empty();
    synchronized (this) {
      FileTask.State before = task.state;
      if (before == FileTask.State.LEFT || before == FileTask.State.ENDED) {
        return false;
      }
      task.state = FileTask.State.LEFT;
      if (before == FileTask.State.WAITING) {
        task.share.waiting.remove(task);
        if (task.share.waiting.isEmpty()) {
          waiting.remove(task.share);
        }
      }
      if (before != FileTask.State.RUNNING) {
        return true;
      }
      freePlace(task);
      left.add(task);
      task.share.left++;
      next = startNext(task.share);
    }
    next.filter(waiter -> !isTaken(waiter)).ifPresent(this::putBack);
    if (task.isInterruptible()) {
      // Not here: to interrupt a thread may take as long as its system call.
      isExecuted(task::interrupt);
    }
    return false;
  }

  /** Waits a moment for work that is under way; the caller has left all of it. */
  void close() {
    pool.shutdown();
    try {
      pool.awaitTermination(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives a task that was started to a thread; if there is none, it counts as not started. */
  private boolean isTaken(FileTask task) {
    if (isExecuted(() -> runFrom(task))) {
      return true;
    }
    synchronized (this) {
      freePlace(task);
      task.state = FileTask.State.NEW;
    }
    return false;
  }

  private boolean isExecuted(Runnable work) {
    try {
      pool.execute(work);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // These threads are closed, or the system has none left.
      return false;
    }
  }

  private synchronized void putBack(FileTask task) {
    enqueue(task, true);
  }

  @GuardedBy("this")
  private void enqueue(FileTask task, boolean isNext) {
    task.state = FileTask.State.WAITING;
    if (isNext) {
      task.share.waiting.addFirst(task);
    } else {
      task.share.waiting.add(task);
    }
    waiting.add(task.share);
  }

  private void runFrom(FileTask first) {
    Optional<FileTask> next = Optional.of(first);
    while (next.isPresent()) {
      FileTask task = next.get();
      try {
        task.run(isLeft(task));
      } finally {
        next = end(task);
      }
    }
  }

  private synchronized boolean isLeft(FileTask task) {
    return task.state == FileTask.State.LEFT;
  }

  private synchronized Optional<FileTask> end(FileTask task) {
    if (left.remove(task)) {
      task.share.left--;
    } else {
      freePlace(task);
    }
    task.state = FileTask.State.ENDED;
    return startNext(task.share);
  }

  /**
   * Starts what waits for a place.
   *
   * @param leaver whose place is free; it keeps the last one that it has while it has work
   */
  @GuardedBy("this")
  private Optional<FileTask> startNext(Share leaver) {
    Share share;
    if (leaver.running == 0 && !leaver.waiting.isEmpty()) {
      share = leaver;
    } else if (running < PLACES && !waiting.isEmpty()) {
      share = waiting.iterator().next();
    } else {
      return Optional.empty();
    }
    FileTask next = share.waiting.remove();
    waiting.remove(share);
    if (!share.waiting.isEmpty()) {
      waiting.add(share);
    }
    start(next);
    return Optional.of(next);
  }

  @GuardedBy("this")
  private void start(FileTask task) {
    task.state = FileTask.State.RUNNING;
    task.beganNanos = System.nanoTime();
    task.share.running++;
    running++;
  }

  @GuardedBy("this")
  private void freePlace(FileTask task) {
    task.share.running--;
    running--;
  }

  @GuardedBy("this")
  private TributaryException stuck() {
    FileTask oldest = left.iterator().next();
    return new TributaryException(
        ErrorCode.RESOURCE_EXHAUSTED,
        String.format(
            "%d threads are stuck in the file system for steps that have ended, the first one for"
                + " %s since %d s; files can be used again when it answers",
            left.size(),
            oldest,
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - oldest.beganNanos)));
  }
}
