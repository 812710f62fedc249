package dev.tributary.cluster.internal.protocol;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of what a task's callers do, for its operator: sessions that open and close, and requests
 * that pass a limit. Safe for use by many threads.
 */
public final class TaskLog {
  private static final Logger LOG = LoggerFactory.getLogger(TaskLog.class);

  /** Handles open sessions, so a log shows only part of them. */
  private static final int HANDLE_DIGITS = 8;

  private final TaskName task;
  private final boolean isSilent;
  private final RareLog limits = new RareLog(LOG::warn);

  private TaskLog(TaskName task, boolean isSilent) {
    this.task = task;
    this.isSilent = isSilent;
  }

  public static TaskLog of(TaskName task) {
    return new TaskLog(task, false);
  }

  /** For tasks that no operator knows of. */
  public static TaskLog silent(TaskName task) {
    return new TaskLog(task, true);
  }

  public void sessionOpened(String handle, String by, int open) {
    if (!isSilent) {
      LOG.info("{}: session {} opened by {}; {} open", task, brief(handle), by, open);
    }
  }

  public void sessionClosed(String handle, int open) {
    if (!isSilent) {
      LOG.info("{}: session {} closed; {} open", task, brief(handle), open);
    }
  }

  /** Logs the end of a session whose client has gone without a word. */
  public void sessionAbandoned(String handle, String description, int open) {
    if (!isSilent) {
      LOG.warn(
          "{}: session {} is ended, as its client is silent: {}; {} open",
          task,
          brief(handle),
          description,
          open);
    }
  }

  /** Logs a request that failed if that was because of a limit, though not each of many. */
  public void failed(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (cause instanceof TributaryException failure
        && failure.code() == ErrorCode.RESOURCE_EXHAUSTED
        && !failure.derived()
        && !isSilent) {
      limits.write(task + ": refused a request: " + failure.getMessage());
    }
  }

  /** As much of a session's handle as a log may show. */
  public static String brief(String handle) {
    return handle.substring(0, Math.min(HANDLE_DIGITS, handle.length()));
  }
}
