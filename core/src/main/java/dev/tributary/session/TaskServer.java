package dev.tributary.session;

import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.ServiceLoader;

/**
 * A cluster's task that runs in this process, as programs see it that do not depend on the module
 * of clusters. Safe for use by many threads.
 */
public interface TaskServer extends AutoCloseable {
  /** Starts a task with the implementation that is on the class path. */
  static TaskServer start(TaskServerOptions options) {
    return ServiceLoader.load(TaskServerFactory.class)
        .findFirst()
        .orElseThrow(
            () ->
                TributaryException.failedPrecondition(
                    "no servers can be started: add the module tributary-cluster to the"
                        + " dependencies"))
        .start(options);
  }

  /** Returns the target at which sessions are opened. */
  String target();

  /** Tells the tasks of other jobs that this task's part of the work is done. */
  void complete();

  /**
   * Stops the server when all tasks of other jobs are done, or a while after those of one job are.
   *
   * @param job the job whose end ends the work
   * @param grace the longest time that the others have then
   */
  void stopWhenDone(String job, Duration grace);

  /** Waits until the server is stopped or the time is over; returns whether it is stopped. */
  boolean join(Duration limit) throws InterruptedException;

  /** Ends sessions and steps, and gives back threads, port and variables. */
  @Override
  void close();
}
