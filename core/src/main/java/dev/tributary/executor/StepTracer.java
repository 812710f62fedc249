package dev.tributary.executor;

import java.util.ArrayList;
import java.util.List;

/** Collects what each node of a step took. Guarded by its own monitor. */
public final class StepTracer {
  /** One run of one node; times are {@link System#nanoTime}. */
  public record NodeRun(
      String name, String op, String device, long scheduledNanos, long startNanos, long endNanos, String thread, long outputBytes) {}

  private final List<NodeRun> runs = new ArrayList<>();
  private final long startMicros = System.currentTimeMillis() * 1000;
  private final long startNanos = System.nanoTime();

  synchronized void add(NodeRun run) {
    runs.add(run);
  }

  /** All runs, in the order in which they ended. */
  public synchronized List<NodeRun> runs() {
    return List.copyOf(runs);
  }

  /** A {@link System#nanoTime} value as microseconds since 1970. */
  public long toEpochMicros(long nanos) {
    return startMicros + (nanos - startNanos) / 1000;
  }
}
