package dev.tributary.internal.kernel.resource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Guards the state of a resource, and lets calls wait for a change of it without holding a thread:
 * what a lock with {@code wait} and {@code notifyAll} is for threads, this is for asynchronous
 * kernels. Calls wait as {@link Attempt}s in lines, in the order in which they came; only the first
 * of a line may go on, unless the monitor is {@linkplain #unordered unordered}. After each change
 * all lines go on as far as they can.
 *
 * <p>The state is touched by {@link #read}, by {@link #change} and by attempts that proceed, all
 * under this object's lock. How attempts ended is told after the lock was given back.
 */
public final class AsyncMonitor {
  private final Object lock = new Object();
  private final boolean isOrdered;
  private final List<Deque<Attempt>> lines = new ArrayList<>();
  private final List<Attempt> ended = new ArrayList<>();
  private Optional<RuntimeException> dropped = Optional.empty();

  public AsyncMonitor(int lineCount) {
    this(lineCount, true);
  }

  /** A monitor whose attempts do not wait for others that came before them. */
  public static AsyncMonitor unordered(int lineCount) {
    return new AsyncMonitor(lineCount, false);
  }

  private AsyncMonitor(int lineCount, boolean isOrdered) {
    this.isOrdered = isOrdered;
    for (int i = 0; i < lineCount; i++) {
      lines.add(new ArrayDeque<>());
    }
  }

  /** Asks about the state; also inside of {@link #change} and of attempts. */
  public <T> T read(Supplier<T> question) {
    synchronized (lock) {
      return question.get();
    }
  }

  /** Changes the state and wakes the waiting attempts. The caller gets what it throws. */
  public void change(Runnable change) {
    List<Attempt> toReport;
    synchronized (lock) {
      change.run();
      while (advanceAll()) {}
      toReport = List.copyOf(ended);
      ended.clear();
    }
    toReport.forEach(Attempt::report);
  }

  /** Puts an attempt at the end of a line. */
  public void submit(int line, Attempt attempt) {
    attempt.begin(() -> change(() -> withdraw(line, attempt)));
    change(
        () -> {
          if (attempt.hasEnded()) {
            return;
          }
          if (dropped.isPresent()) {
            fail(attempt, dropped.get());
          } else {
            lines.get(line).add(attempt);
          }
        });
  }

  /** Ends all attempts of a line; inside of {@link #change} only. */
  public void failAll(int line, Supplier<RuntimeException> why) {
    Deque<Attempt> waiting = lines.get(line);
    while (!waiting.isEmpty()) {
      fail(waiting.poll(), why.get());
    }
  }

  /**
   * Ends all attempts, and those that come later, and lets {@code release} give back the rest of
   * the state.
   */
  public void drop(RuntimeException why, Runnable release) {
    change(
        () -> {
          dropped = Optional.of(why);
          for (int line = 0; line < lines.size(); line++) {
            failAll(line, () -> why);
          }
          release.run();
        });
  }

  private void withdraw(int line, Attempt attempt) {
    if (!attempt.hasEnded()) {
      lines.get(line).remove(attempt);
      fail(attempt, attempt.cancelled());
    }
  }

  private void fail(Attempt attempt, RuntimeException why) {
    attempt.fail(why);
    ended.add(attempt);
  }

  private boolean advanceAll() {
    boolean changed = false;
    for (Deque<Attempt> line : lines) {
      changed |= advance(line);
    }
    return changed;
  }

  private boolean advance(Deque<Attempt> line) {
    boolean changed = false;
    Iterator<Attempt> waiting = line.iterator();
    while (waiting.hasNext()) {
      Attempt next = waiting.next();
      try {
        Attempt.Progress progress = next.proceed();
        changed |= progress != Attempt.Progress.NONE;
        if (progress == Attempt.Progress.DONE) {
          next.succeed();
          waiting.remove();
          ended.add(next);
        } else if (isOrdered) {
          return changed;
        }
      } catch (RuntimeException e) {
        waiting.remove();
        fail(next, e);
        changed = true;
      }
    }
    return changed;
  }
}
