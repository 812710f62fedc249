/**
 * Kernels and their arguments, the device on which they run, the resources that outlive them, and
 * the {@code Backend} seam behind the hot primitives. Entry types: {@link
 * dev.tributary.internal.kernel.Kernel}, {@link dev.tributary.internal.kernel.KernelContext}. Knows
 * tensors and op signatures, never graphs: graphs, ops and executors depend on it.
 */
package dev.tributary.internal.kernel;
