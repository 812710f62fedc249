package dev.tributary.internal.kernel.comm;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Asks the step's rendezvous for a value. Leaves its output out if the value is dead. */
public final class RecvKernel implements AsyncKernel {
  private final TransferKeys keys;

  public RecvKernel(KernelNode node) {
    keys = new TransferKeys(node.attributes());
  }

  @Override
  public void computeAsync(KernelContext context, Completion done) {
    RendezvousKey key = keys.of(context);
    Waiter waiter = new Waiter(key, context, done);
    Cancellation cancellation = context.step().cancellation();
    Rendezvous rendezvous = context.step().rendezvous();
    cancellation.onCancel(waiter);
    if (!waiter.isAnswered()) {
      rendezvous.receive(key, waiter);
    }
  }

  /**
   * One request. Whoever comes first, value, failure or cancellation, decides; the others find the
   * call over, do not touch it any more, and release what they bring.
   */
  private static final class Waiter implements Rendezvous.Receiver, Runnable {
    private final RendezvousKey key;
    private final KernelContext context;
    private final Completion done;
    private final Cancellation cancellation;
    private final AtomicBoolean answered = new AtomicBoolean();

    Waiter(RendezvousKey key, KernelContext context, Completion done) {
      this.key = key;
      this.context = context;
      this.done = done;
      this.cancellation = context.step().cancellation();
    }

    boolean isAnswered() {
      return answered.get();
    }

    @Override
    public void received(Optional<Tensor> value) {
      if (!answer()) {
        value.ifPresent(Tensor::close);
        return;
      }
      DataType wanted = context.outputType(0);
      if (value.isPresent() && value.get().type() != wanted) {
        DataType got = value.get().type();
        value.get().close();
        done.fail(
            TributaryException.internal(
                "got a %s value under the key %s, wanted %s",
                got.lowerName(), key, wanted.lowerName()));
        return;
      }
      value.ifPresent(tensor -> context.setOutput(0, tensor));
      done.succeed();
    }

    @Override
    public void failed(RuntimeException failure) {
      if (answer()) {
        done.fail(failure);
      }
    }

    /** The step was cancelled. */
    @Override
    public void run() {
      if (answer()) {
        done.fail(cancellation.reason().orElseThrow());
      }
    }

    private boolean answer() {
      boolean isFirst = answered.compareAndSet(false, true);
      if (isFirst) {
        cancellation.forget(this);
      }
      return isFirst;
    }
  }
}
