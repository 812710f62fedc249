package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Tensor;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A kernel whose outputs are the only element of a pass, which it makes within its step. */
final class SingleElement implements AsyncKernel {
  /**
   * The pass of one call.
   *
   * @param release gives back what the pass used, after its end
   */
  record Pass(Function<IteratorContext, ElementIterator> open, Runnable release) {}

  private final String stage;
  private final ElementSpec spec;
  private final Executor pool;
  private final Function<KernelContext, Pass> reading;

  SingleElement(KernelNode node, ElementSpec spec, Function<KernelContext, Pass> reading) {
    this.stage = DatasetKernels.stage(node);
    this.spec = spec;
    this.pool = node.functions().pool();
    this.reading = reading;
  }

  @Override
  public void computeAsync(KernelContext call, Completion done) {
    Pass pass = reading.apply(call);
    IteratorContext context = new IteratorContext(call.device(), pool);
    Runnable cancel = context::cancel;
    ElementIterator iterator;
    try {
      iterator = pass.open().apply(context);
    } catch (RuntimeException e) {
      pass.release().run();
      throw e;
    }
    call.step().cancellation().onCancel(cancel);
    new Request(
            context,
            iterator,
            (element, failure) -> {
              call.step().cancellation().forget(cancel);
              iterator.close();
              context.release();
              pass.release().run();
              answer(call, done, element, failure);
            })
        .turns.take();
  }

  /** Asks for the element, and then for the end. Confined to whichever thread has the answer. */
  private final class Request implements ElementReceiver {
    private final ElementIterator iterator;
    private final BiConsumer<Tensor[], RuntimeException> onEnd;
    private final Turns turns;
    private Tensor[] element = Elements.NONE;
    private boolean hasElement;

    Request(
        IteratorContext context,
        ElementIterator iterator,
        BiConsumer<Tensor[], RuntimeException> onEnd) {
      this.turns = new Turns(context::executeInBackground, this::ask);
      this.iterator = iterator;
      this.onEnd = onEnd;
    }

    private void ask() {
      iterator.next(this);
    }

    @Override
    public void element(Tensor[] components) {
      if (hasElement) {
        Elements.close(components);
        failure(
            TributaryException.invalidArgument("%s: Dataset had more than one element.", stage));
        return;
      }
      hasElement = true;
      element = components;
      turns.take();
    }

    @Override
    public void end() {
      if (hasElement) {
        onEnd.accept(element, null);
      } else {
        failure(TributaryException.invalidArgument("%s: Dataset was empty.", stage));
      }
    }

    @Override
    public void failure(RuntimeException failure) {
      Elements.close(element);
      onEnd.accept(Elements.NONE, failure);
    }
  }

  private void answer(
      KernelContext call, Completion done, Tensor[] element, RuntimeException failure) {
    if (failure != null) {
      done.fail(failure);
      return;
    }
    try {
      spec.requireElement(element);
    } catch (TributaryException e) {
      Elements.close(element);
      done.fail(e.at(stage));
      return;
    }
    for (int i = 0; i < element.length; i++) {
      call.setOutput(i, element[i]);
    }
    done.succeed();
  }
}
