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
 * The threads on which the file ops of a session or of a task wait for files, so that no thread
 * that runs nodes ever does. They begin when they are needed and end when they are idle for a
 * while. All are daemons. Guarded by its own monitor, under which no work is done; safe for use by
 * many threads.
 *
 * <p>A thread in a system call on a dead mount cannot be stopped by anybody. So whoever waits for
 * work may {@link #leave} it: {@value #PLACES} pieces of work run at a time, and one that was left
 * makes room for another while its thread stays where it is. With {@value #MOST_LEFT} threads stuck
 * in this way, new work is refused until some of them come back.
 */
public final class FileThreads implements AutoCloseable {
  /** More than enough to keep a disk busy. */
  static final int PLACES = 16;

  /** Stuck threads cost memory for their stacks, and there seem to be no files to be had. */
  static final int MOST_LEFT = 48;

  private static final long IDLE_SECONDS = 10;
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final ThreadPoolExecutor pool;

  @GuardedBy("this")
  private final Deque<FileTask> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private final Set<FileTask> left = new LinkedHashSet<>();

  @GuardedBy("this")
  private int running;

  /** Makes threads whose names begin with {@code role}. */
  public FileThreads(String role) {
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

  /**
   * Does the work as soon as a thread is free, unless it is left before. Fails with
   * RESOURCE_EXHAUSTED if too many threads are stuck; then it is never done.
   */
  public void begin(FileTask task) {
    synchronized (this) {
      if (task.state == FileTask.State.LEFT) {
        return;
      }
      if (left.size() >= MOST_LEFT) {
        throw stuck();
      }
      if (running == PLACES) {
        task.state = FileTask.State.WAITING;
        waiting.add(task);
        return;
      }
      start(task);
    }
    if (!isTaken(task)) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED, "the system has no thread left to use files on");
    }
  }

  /**
   * Tells that nobody waits for the work any more; does nothing if it has ended. If it runs, the
   * thread is interrupted where the task allows that.
   *
   * @return whether the work will never be done, since it had not begun
   */
  public boolean leave(FileTask task) {
    Optional<FileTask> next = Optional.empty();
    synchronized (this) {
      FileTask.State before = task.state;
      if (before == FileTask.State.LEFT || before == FileTask.State.ENDED) {
        return false;
      }
      task.state = FileTask.State.LEFT;
      if (before != FileTask.State.RUNNING) {
        waiting.remove(task);
        return true;
      }
      running--;
      left.add(task);
      next = startNext();
    }
    next.filter(waiter -> !isTaken(waiter)).ifPresent(this::putBack);
    if (task.isInterruptible()) {
      // Not here: to interrupt a thread may take as long as its system call.
      isExecuted(task::interrupt);
    }
    return false;
  }

  /** Waits a moment for work that is under way; the caller has left all of it. */
  @Override
  public void close() {
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
      running--;
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
    task.state = FileTask.State.WAITING;
    waiting.addFirst(task);
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
    if (!left.remove(task)) {
      running--;
    }
    task.state = FileTask.State.ENDED;
    return startNext();
  }

  /** Under the monitor. */
  @GuardedBy("this")
  private Optional<FileTask> startNext() {
    Optional<FileTask> next =
        running < PLACES ? Optional.ofNullable(waiting.poll()) : Optional.empty();
    next.ifPresent(this::start);
    return next;
  }

  /** Under the monitor. */
  @GuardedBy("this")
  private void start(FileTask task) {
    task.state = FileTask.State.RUNNING;
    task.beganNanos = System.nanoTime();
    running++;
  }

  /** Under the monitor. */
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
