package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.resource.Attempt;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes elements from a queue as they come, until it has as many as it wants. If the queue is
 * closed before, it takes what is left or puts all back.
 */
final class DequeueAttempt extends Attempt {
  /** The result of a dequeue. */
  enum Form {
    /** One element as it is. */
    SINGLE,
    /** A batch of exactly the number of elements that was asked for. */
    MANY,
    /** As MANY, or the rest of a closed queue. */
    UP_TO
  }

  private final TensorQueue queue;
  private final Form form;
  private int wanted;
  private final List<QueueElement> taken = new ArrayList<>();

  DequeueAttempt(
      TensorQueue queue,
      Form form,
      int wanted,
      KernelContext context,
      AsyncKernel.Completion done) {
    super("Dequeue", context, done);
    this.queue = queue;
    this.form = form;
    this.wanted = wanted;
  }

  @Override
  protected Progress proceed() {
    if (queue.isClosed() && taken.size() + queue.size() < wanted) {
      giveBack();
      if (form != Form.UP_TO || queue.size() == 0) {
        throw TributaryException.outOfRange(
            "%s is closed and has insufficient elements (requested %d, current size %d)",
            queue, wanted, queue.size());
      }
      wanted = queue.size();
    }
    int before = taken.size();
    while (taken.size() < wanted && queue.takeable() > 0) {
      taken.add(queue.take());
    }
    if (taken.size() == wanted) {
      return Progress.DONE;
    }
    return taken.size() > before ? Progress.SOME : Progress.NONE;
  }

  @Override
  protected void giveBack() {
    while (!taken.isEmpty()) {
      queue.putBack(taken.remove(taken.size() - 1));
    }
  }

  @Override
  protected void deliver(KernelContext call) {
    if (form == Form.SINGLE) {
      List<Tensor> components = taken.get(0).handOver();
      for (int i = 0; i < components.size(); i++) {
        call.setOutput(i, components.get(i));
      }
      return;
    }
    try {
      batch(call, queue.spec(), taken);
    } finally {
      taken.forEach(QueueElement::close);
    }
  }

  /** Sets the outputs to the components of these elements, put together. */
  static void batch(KernelContext call, QueueSpec spec, List<QueueElement> elements) {
    for (int i = 0; i < spec.types().size(); i++) {
      int component = i;
      List<Tensor> rows =
          elements.stream().map(element -> element.components().get(component)).toList();
      call.setOutput(i, Batches.stack(call.allocator(), spec, i, rows));
    }
  }
}
