package dev.tributary.internal.kernel.accumulator;

import dev.tributary.internal.kernel.KernelContext;

/** A sum that an accumulator has handed over. It belongs to one call. */
interface AccumulatedGradient extends AutoCloseable {
  /** Sets the call's outputs, divided where a mean is wanted. */
  void deliver(KernelContext call);

  @Override
  void close();
}
