package dev.tributary.internal.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.kernel.Device;
import dev.tributary.trace.StepTrace;
import dev.tributary.trace.StepTrace.NodeTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Collects what each node of a step took. Guarded by its own monitor. */
public final class StepTracer {
  @GuardedBy("this")
  private final List<NodeTrace> runs = new ArrayList<>();

  private final long epochNanos =
      TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();

  /** Adds a run that ends now; times are those of {@link System#nanoTime}. */
  void add(NodeItem node, Device device, long ready, long start, long outputBytes) {
    NodeTrace run =
        new NodeTrace(
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

  /** All runs so far, in the order in which they ended. */
  public synchronized StepTrace trace() {
    return new StepTrace(runs);
  }

  private long toEpochNanos(long nanoTime) {
    return epochNanos + nanoTime;
  }
}
