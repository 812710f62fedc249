package dev.tributary.internal.kernel;

/**
 * Makes the kernel of a node, once for a compiled graph. Bad attributes are found here, before any
 * step runs.
 */
@FunctionalInterface
public interface KernelFactory {
  Kernel create(KernelNode node);
}
