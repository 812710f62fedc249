/**
 * Conditional accumulators: they add up gradients of one variable from many workers, leave stale
 * ones out, and give the sum or the mean once enough have come. Synchronous training uses them.
 * Dense and sparse ones are resources of their device; a call that takes a gradient waits by
 * callback. Entry type for op declarations: {@link
 * dev.tributary.internal.kernel.accumulator.AccumulatorKernels}.
 */
package dev.tributary.internal.kernel.accumulator;
