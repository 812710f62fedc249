package dev.tributary.internal.kernel.accumulator;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.resource.AsyncMonitor;

/**
 * Adds up gradients that are not stale, counts them, and hands out what has come together when
 * there are enough. Each hand-out is a global step: gradients that were computed before it are left
 * out from then on. Guarded by its monitor, so that a gradient counts fully or not at all. What it
 * holds is released when it is dropped; calls that still wait then are cancelled.
 */
abstract class ConditionalAccumulator implements Resource {
  private static final int TAKES = 0;

  private final String name;
  private final AccumulatorSpec spec;
  private final AsyncMonitor monitor = new AsyncMonitor(1);
  private long globalStep;
  private int count;

  ConditionalAccumulator(String name, AccumulatorSpec spec) {
    this.name = name;
    this.spec = spec;
  }

  final AccumulatorSpec spec() {
    return spec;
  }

  /** Adds the gradient in a call's inputs, which are the same for all of a kind. */
  abstract void add(KernelContext call);

  /** Hands over all that was added, {@code gradients} in number, and starts again. */
  abstract AccumulatedGradient takeSum(int gradients);

  /** Gives back what was added. */
  abstract void release();

  /** Adds a gradient that was computed at {@code localStep}, unless that is over. */
  final void apply(long localStep, KernelContext call) {
    monitor.change(
        () -> {
          if (localStep >= globalStep) {
            add(call);
            count++;
          }
        });
  }

  /** Waits for {@code required} gradients and gives what has been added by then. */
  final void take(int required, KernelContext call, AsyncKernel.Completion done) {
    if (required <= 0) {
      throw TributaryException.invalidArgument("num_required must be positive, got %d", required);
    }
    monitor.submit(TAKES, new TakeAttempt(this, required, call, done));
  }

  final int accumulated() {
    return monitor.read(() -> count);
  }

  final void setGlobalStep(long step) {
    monitor.change(() -> globalStep = step);
  }

  /** For an attempt, under the monitor's lock. */
  final boolean hasEnough(int required) {
    return count >= required;
  }

  /** For an attempt, under the monitor's lock. */
  final AccumulatedGradient takeAll() {
    AccumulatedGradient all = takeSum(count);
    count = 0;
    globalStep++;
    return all;
  }

  @Override
  public final String kind() {
    return "accumulators";
  }

  @Override
  public final void close() {
    monitor.drop(
        TributaryException.cancelled("accumulator '%s' was dropped with its container", name),
        this::release);
  }
}
