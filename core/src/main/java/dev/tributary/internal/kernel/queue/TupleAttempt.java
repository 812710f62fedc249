package dev.tributary.internal.kernel.queue;

import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.resource.Attempt;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A call that waits until it can do all that it came for at once, and then has its outputs. */
final class TupleAttempt extends Attempt {
  private final Supplier<Optional<List<Tensor>>> action;
  private List<Tensor> outputs = List.of();

  /**
   * @param action returns the outputs, or nothing as long as it has to wait; called under the
   *     monitor's lock
   */
  TupleAttempt(
      String operation,
      KernelContext context,
      AsyncKernel.Completion done,
      Supplier<Optional<List<Tensor>>> action) {
    super(operation, context, done);
    this.action = action;
  }

  @Override
  protected Progress proceed() {
    Optional<List<Tensor>> result = action.get();
    result.ifPresent(tensors -> outputs = tensors);
    return result.isPresent() ? Progress.DONE : Progress.NONE;
  }

  @Override
  protected void deliver(KernelContext call) {
    for (int i = 0; i < outputs.size(); i++) {
      call.setOutput(i, outputs.get(i));
    }
  }
}
