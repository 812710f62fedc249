package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.resource.Attempt;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.IntFunction;

/** Brings elements to a queue, one after the other as there is room. */
final class EnqueueAttempt extends Attempt {
  private final TensorQueue queue;
  private final IntFunction<List<Tensor>> elements;
  private final int count;
  private final ElementHeap heap;
  private int next;

  /**
   * @param elements makes an element, which the queue will own, when there is room for it
   * @param count how many there are; at least one
   */
  EnqueueAttempt(
      TensorQueue queue,
      IntFunction<List<Tensor>> elements,
      int count,
      KernelContext context,
      AsyncKernel.Completion done) {
    super("Enqueue", context, done);
    this.queue = queue;
    this.elements = elements;
    this.count = count;
    this.heap = ElementHeap.of(context.allocator().budget());
  }

  @Override
  protected Progress proceed() {
    if (queue.isClosed()) {
      throw TributaryException.cancelled("%s is closed.", queue);
    }
    Progress progress = Progress.NONE;
    while (queue.hasRoom()) {
      queue.add(elements.apply(next++), heap);
      if (next == count) {
        return Progress.DONE;
      }
      progress = Progress.SOME;
    }
    return progress;
  }
}
