package dev.tributary.cluster.protocol;

import dev.tributary.cluster.spec.TaskName;
import java.util.List;

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

  /** Gives back connections; by default there are none. */
  @Override
  default void close() {}
}
