package dev.tributary.cluster.internal.protocol;

import dev.tributary.cluster.spec.TaskName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The workers of a cluster, as one of its tasks reaches them. Safe for use by many threads. Whoever
 * opened it closes it.
 */
public interface Workers extends AutoCloseable {
  /** All tasks, in order. */
  List<TaskName> tasks();

  /**
   * A task's worker; one in this process is called without a wire. An unknown task is INTERNAL, and
   * the message lists the known ones.
   */
  WorkerInterface worker(TaskName task);

  /** Returns how long ago a task was heard from; empty if it never was, or if nobody counts. */
  default Optional<Duration> lastHeard(TaskName task) {
    return Optional.empty();
  }

  /** Why the last attempt to reach a task failed; empty if none has since it was heard from. */
  default Optional<String> lastFailure(TaskName task) {
    return Optional.empty();
  }

  /** Gives back connections; by default there are none. */
  @Override
  default void close() {}
}
