package dev.tributary.internal.executor;

import java.util.concurrent.Executor;

/**
 * Threads that run the nodes of a graph, among them threads of callers, which have other work and
 * are lent for brief nodes only.
 */
public interface StepThreads extends Executor {
  /** Returns whether this thread is lent by a caller. */
  boolean isLent();

  /** Runs a task on a thread that is not lent. */
  void executeElsewhere(Runnable task);
}
