package dev.tributary.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Collects what each node of a step took. Guarded by its own monitor. */
public final class StepTracer {
  /**
   * One run of one node. Times are nanoseconds since 1970.
   *
   * @param readyNanos when it had all its inputs; it may then have waited for a thread
   * @param outputBytes the size of all its outputs
   */
  public record NodeRun(
      String name,
      String op,
      String device,
      long readyNanos,
      long startNanos,
      long endNanos,
      String thread,
      long outputBytes) {}

  private final List<NodeRun> runs = new ArrayList<>();
  private final long epochNanos =
      TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();

  synchronized void add(NodeRun run) {
    runs.add(run);
  }

  /** All runs, in the order in which they ended. */
  public synchronized List<NodeRun> runs() {
    return List.copyOf(runs);
  }

  long toEpochNanos(long nanoTime) {
    return epochNanos + nanoTime;
  }
}
