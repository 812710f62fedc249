package dev.tributary.cluster.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a task can run steps: each second it gives the pool something to do, and if
 * that has not found a thread after a while, no step does either. Guarded by its own monitor.
 */
final class StepThreadsWatch {
  /** Longer than a large kernel may take on a busy machine. */
  static final Duration LIMIT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(StepThreadsWatch.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final TaskName task;
  private final Executor pool;
  private final Consumer<Boolean> onChange;

  @GuardedBy("this")
  private OptionalLong waitsSinceNanos = OptionalLong.empty();

  @GuardedBy("this")
  private boolean canRun = true;

  /**
   * @param pool runs nodes
   * @param onChange told whether steps can run, when that changes; it was so at first
   */
  StepThreadsWatch(TaskName task, Executor pool, Consumer<Boolean> onChange) {
    this.task = task;
    this.pool = pool;
    this.onChange = onChange;
  }

  /** Begins to watch, until the alarm is cancelled. */
  Timer.Alarm begin(Timer timer) {
    return timer.every(
        INTERVAL,
        () -> {
          look(timer.nanos());
          return true;
        });
  }

  void look(long nowNanos) {
    boolean begins;
    boolean isLost;
    synchronized (this) {
      begins = waitsSinceNanos.isEmpty();
      long since = waitsSinceNanos.orElse(nowNanos);
      waitsSinceNanos = OptionalLong.of(since);
      boolean isLate = nowNanos - since > LIMIT.toNanos();
      isLost = canRun && isLate;
      canRun &= !isLate;
    }
    if (begins) {
      begin();
    }
    if (isLost) {
      LOG.warn(
          "{} runs no steps: all of its threads have been busy for {} s. Its health is NOT_SERVING"
              + " until one of them is free",
          task,
          LIMIT.toSeconds());
      onChange.accept(false);
    }
  }

  private void begin() {
    try {
      pool.execute(this::ran);
    } catch (RejectedExecutionException e) {
      LOG.debug("{} stops, and says so itself", task);
    }
  }

  private void ran() {
    boolean isBack;
    synchronized (this) {
      waitsSinceNanos = OptionalLong.empty();
      isBack = !canRun;
      canRun = true;
    }
    if (isBack) {
      LOG.info("{} runs steps again", task);
      onChange.accept(true);
    }
  }
}
