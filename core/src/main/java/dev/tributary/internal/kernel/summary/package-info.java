/**
 * Kernels of the ops that give serialized summaries, which event files hold. Entry type: {@link
 * dev.tributary.internal.kernel.summary.SummaryKernels}.
 */
package dev.tributary.internal.kernel.summary;
