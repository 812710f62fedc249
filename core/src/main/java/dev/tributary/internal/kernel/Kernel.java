package dev.tributary.internal.kernel;

/**
 * The computation of one node. A kernel is made once for a compiled graph and may be called by
 * several steps at the same time, so it keeps no state of a call in its fields.
 */
public interface Kernel {
  /**
   * Reads the inputs, sets the outputs. An input is borrowed: it may be {@link
   * dev.tributary.tensor.Tensor#retain retained} into an output, but not closed. A failure is
   * thrown as a {@link dev.tributary.error.TributaryException}; the executor puts the node's name
   * in front.
   */
  void compute(KernelContext context);
}
