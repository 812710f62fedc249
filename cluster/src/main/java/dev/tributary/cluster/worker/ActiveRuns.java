package dev.tributary.cluster.worker;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The runs that have begun and not ended, and whether more may begin. Guarded by its own monitor.
 */
final class ActiveRuns {
  private final Set<GraphRun> runs = new LinkedHashSet<>();
  private Optional<RuntimeException> closed = Optional.empty();

  /** Lets a run begin, unless the worker is closed. Every run that begins must {@link #end}. */
  synchronized void begin(GraphRun run) {
    requireOpen();
    runs.add(run);
  }

  synchronized void end(GraphRun run) {
    runs.remove(run);
    if (runs.isEmpty()) {
      notifyAll();
    }
  }

  synchronized void requireOpen() {
    if (closed.isPresent()) {
      throw closed.get();
    }
  }

  /** Lets no run begin any more, and ends those that have. */
  void close(RuntimeException reason) {
    List<GraphRun> toEnd;
    synchronized (this) {
      closed = Optional.of(reason);
      toEnd = List.copyOf(runs);
    }
    toEnd.forEach(run -> run.endEarly(reason));
  }

  /** Waits for the last run to end; returns how many are left when the time is over. */
  synchronized int awaitNone(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (!runs.isEmpty() && deadline - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, deadline - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return runs.size();
  }
}
