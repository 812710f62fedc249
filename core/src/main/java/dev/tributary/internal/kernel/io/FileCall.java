package dev.tributary.internal.kernel.io;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.file.FileTask;
import dev.tributary.internal.file.FileThreads;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call of a {@link FileKernel}. Whichever comes first ends it: the work, or the cancellation of
 * the step. Safe for use by many threads.
 */
final class FileCall {
  private final String what;
  private final FileWork work;
  private final KernelContext context;
  private final AsyncKernel.Completion done;
  private final Cancellation cancellation;
  private final FileThreads threads;
  private final FileTask task;
  private final Runnable withdrawal = this::withdraw;
  private final AtomicBoolean over = new AtomicBoolean();

  FileCall(String what, FileWork work, KernelContext context, AsyncKernel.Completion done) {
    this.what = what;
    this.work = work;
    this.context = context;
    this.done = done;
    this.cancellation = context.step().cancellation();
    this.threads = context.device().fileThreads();
    this.task = new FileTask(what, true, this::run);
  }

  void begin() {
    cancellation.onCancel(withdrawal);
    try {
      threads.begin(task);
    } catch (TributaryException e) {
      fail(e);
      leave();
    }
  }

  private void run() {
    FileWork.Outcome outcome;
    try (work) {
      outcome = work.run();
    } catch (RuntimeException | Error e) {
      fail(canonical(e));
      return;
    }
    if (!isFirst()) {
      outcome.discard();
      return;
    }
    try {
      outcome.deliver(context);
    } catch (RuntimeException | Error e) {
      done.fail(canonical(e));
      return;
    }
    done.succeed();
  }

  private void fail(RuntimeException failure) {
    if (isFirst()) {
      done.fail(failure);
    }
  }

  private void withdraw() {
    fail(cancelled(what, cancellation));
    leave();
  }

  private void leave() {
    if (threads.leave(task)) {
      work.close();
    }
  }

  private boolean isFirst() {
    boolean isFirst = over.compareAndSet(false, true);
    if (isFirst) {
      cancellation.forget(withdrawal);
    }
    return isFirst;
  }

  static TributaryException cancelled(String what, Cancellation cancellation) {
    return TributaryException.derived(
        ErrorCode.CANCELLED, what + " was cancelled", cancellation.reason().orElse(null));
  }

  /** Nobody else would hear of an error on a file thread, and the step would wait for ever. */
  static RuntimeException canonical(Throwable thrown) {
    if (thrown instanceof RuntimeException failure) {
      return failure;
    }
    boolean isMemory = thrown instanceof OutOfMemoryError;
    ErrorCode code = isMemory ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INTERNAL;
    return new TributaryException(code, thrown.toString(), thrown);
  }
}
