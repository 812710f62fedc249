package dev.tributary.internal.executor;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.Step;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Pools, failures and the end of a step, shared by all ways to run one. */
final class StepEnding {
  private StepEnding() {}

  /**
   * Runs a task on the pool. A pool that takes no more work has been closed, and its steps
   * cancelled: all that is left is to count down, which this thread does.
   */
  static void onPool(Executor pool, Runnable task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }

  /** Continues a step whose slice is over: on the pool, and not on a thread that is lent. */
  static void afterSlice(TimeSlice slice, Executor pool, Runnable task) {
    if (slice.isLent()) {
      onPool(((StepThreads) pool)::executeElsewhere, task);
    } else {
      onPool(pool, task);
    }
  }

  /** A failure of a node's kernel, with the node's name in front. */
  static RuntimeException located(NodeItem node, Device device, Throwable error) {
    String place = node + " (" + device.name() + ")";
    if (error instanceof TributaryException) {
      return ((TributaryException) error).at(place);
    }
    ErrorCode code =
        error instanceof OutOfMemoryError ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INTERNAL;
    return new TributaryException(code, place + ": " + error, error);
  }

  static TributaryException missingOutput(NodeItem node) {
    return TributaryException.internal("the kernel of %s left an output unset", node.op);
  }

  /** Gives back everything with {@code release}, closes the step and calls {@code done}. */
  static void end(Step step, Runnable release, Consumer<Optional<RuntimeException>> done) {
    Optional<RuntimeException> failure = Optional.empty();
    try {
      release.run();
      failure = step.cancellation().reason();
      step.close();
    } catch (RuntimeException e) {
      failure = failure.or(() -> Optional.of(e));
    }
    done.accept(failure);
  }
}
