package dev.tributary.executor;

import dev.tributary.kernel.Device;
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

  /** Adds a run that ends now; times are those of {@link System#nanoTime}. */
  void add(NodeItem node, Device device, long ready, long start, long outputBytes) {
    NodeRun run =
        new NodeRun(
            node.name,
            node.op,
            device.name(),
            toEpochNanos(ready),
            toEpochNanos(start),
            toEpochNanos(System.nanoTime()),
            Thread.currentThread().getName(),
            outputBytes);
    synchronized (this) {
      runs.add(run);
    }
  }

  /** All runs, in the order in which they ended. */
  public synchronized List<NodeRun> runs() {
    return List.copyOf(runs);
  }

  private long toEpochNanos(long nanoTime) {
    return epochNanos + nanoTime;
  }
}
