package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.resource.Attempt;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * A queue of strings, seen by a reader that takes one after the other as its work: names of files,
 * mostly. Safe for many threads.
 */
public final class WorkQueue {
  /** The consumer of the answer, called on any thread. */
  public interface Taker {
    void take(String work);

    void fail(RuntimeException failure);
  }

  private final TensorQueue queue;

  private WorkQueue(TensorQueue queue) {
    this.queue = queue;
  }

  /** The queue whose handle is an input of a call. */
  public static WorkQueue ofInput(KernelContext context, int input, HandleForm form) {
    TensorQueue queue = form.lookup(context, input, TensorQueue.class);
    queue.spec().requireTypes(List.of(DataType.STRING));
    return new WorkQueue(queue);
  }

  /**
   * Takes an element as soon as there is one. It fails when the queue is closed and empty, and when
   * the step of the call is cancelled.
   */
  public void take(KernelContext context, Taker taker) {
    queue.dequeue(new TakeWork(context, taker));
  }

  private final class TakeWork extends Attempt {
    private final Taker taker;
    private QueueElement taken;

    TakeWork(KernelContext context, Taker taker) {
      super(
          "ReaderRead",
          context,
          new AsyncKernel.Completion() {
            @Override
            public void succeed() {}

            @Override
            public void fail(RuntimeException failure) {
              taker.fail(failure);
            }
          });
      this.taker = taker;
    }

    @Override
    protected Progress proceed() {
      if (queue.isClosed() && queue.size() == 0) {
        throw TributaryException.outOfRange(
            "%s is closed and has insufficient elements (requested 1, current size 0)", queue);
      }
      if (queue.takeable() == 0) {
        return Progress.NONE;
      }
      taken = queue.take();
      return Progress.DONE;
    }

    @Override
    protected void deliver(KernelContext call) {
      String work;
      try (QueueElement element = taken) {
        Tensor string = element.components().get(0);
        work = string.stringValue();
      }
      taker.take(work);
    }
  }
}
