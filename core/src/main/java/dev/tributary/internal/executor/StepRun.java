package dev.tributary.internal.executor;

import java.util.List;

/** One step that an {@link Executor} has prepared. It is started once, by one of its methods. */
public interface StepRun {
  /** Runs the step on this thread as far as it goes without waiting. */
  void start();

  /** Runs the step on this thread, one of the pool, for as long as others do not wait for it. */
  void startInSlice();

  /** Starts the step on a thread of the pool. */
  void startOnPool();

  /**
   * Some of the nodes that are ready or run at this moment, at most {@code limit}. Any thread may
   * ask.
   */
  List<String> outstanding(int limit);
}
