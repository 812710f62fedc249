package dev.tributary.internal.kernel.accumulator;

import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.resource.Attempt;

/** Waits until an accumulator has enough gradients, and takes all it has. */
final class TakeAttempt extends Attempt {
  private final ConditionalAccumulator accumulator;
  private final int required;
  private AccumulatedGradient taken;

  TakeAttempt(
      ConditionalAccumulator accumulator,
      int required,
      KernelContext context,
      AsyncKernel.Completion done) {
    super("TakeGrad", context, done);
    this.accumulator = accumulator;
    this.required = required;
  }

  @Override
  protected Progress proceed() {
    if (!accumulator.hasEnough(required)) {
      return Progress.NONE;
    }
    taken = accumulator.takeAll();
    return Progress.DONE;
  }

  @Override
  protected void deliver(KernelContext call) {
    try (AccumulatedGradient gradient = taken) {
      gradient.deliver(call);
    }
  }
}
