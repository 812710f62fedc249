/**
 * The kernels that move values between the parts of a step: {@link
 * dev.tributary.internal.kernel.comm.SendKernel} and {@link
 * dev.tributary.internal.kernel.comm.RecvKernel}. They know keys and the step's rendezvous, and
 * nothing of where the other part runs.
 */
package dev.tributary.internal.kernel.comm;
