package dev.tributary.internal.kernel.io;

import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import java.util.function.Function;

/**
 * The kernel of an op that uses files. It works on the device's {@linkplain
 * dev.tributary.internal.file.FileThreads file threads}, and a step that is cancelled ends at once,
 * even if the file system keeps the thread. Immutable.
 */
public final class FileKernel implements AsyncKernel {
  private final String what;
  private final Function<KernelContext, FileWork> prepare;

  /**
   * @param prepare takes what the work needs from a call, without touching a file
   */
  public FileKernel(KernelNode node, Function<KernelContext, FileWork> prepare) {
    this.what = node.op() + " '" + node.name() + "'";
    this.prepare = prepare;
  }

  @Override
  public void computeAsync(KernelContext context, Completion done) {
    new FileCall(what, prepare.apply(context), context, done).begin();
  }
}
