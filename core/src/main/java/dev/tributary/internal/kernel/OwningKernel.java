package dev.tributary.internal.kernel;

/** A kernel that owns a resource of its node. It is closed when no step can call it any more. */
public interface OwningKernel extends Kernel, AutoCloseable {
  @Override
  void close();
}
