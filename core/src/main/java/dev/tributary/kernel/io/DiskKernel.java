package dev.tributary.kernel.io;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.AsyncKernel;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelContext;

/**
 * Runs work that waits for the disk on a thread of its own for each call: the threads that run
 * nodes are few, and training continues while a checkpoint is written. Calls are rare, so a thread
 * each costs nothing. Immutable.
 */
final class DiskKernel implements AsyncKernel {
  private final String role;
  private final Kernel work;

  /**
   * @param role what its threads are called
   */
  DiskKernel(String role, Kernel work) {
    this.role = role;
    this.work = work;
  }

  @Override
  public void computeAsync(KernelContext context, Completion done) {
    Thread thread = new Thread(() -> run(context, done), role);
    thread.setDaemon(true);
    thread.start();
  }

  private void run(KernelContext context, Completion done) {
    try {
      work.compute(context);
    } catch (RuntimeException e) {
      done.fail(e);
      return;
    } catch (Error e) {
      // Nobody else would hear of it, and the step would wait for ever.
      boolean isMemory = e instanceof OutOfMemoryError;
      ErrorCode code = isMemory ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INTERNAL;
      done.fail(new TributaryException(code, e.toString(), e));
      return;
    }
    done.succeed();
  }
}
