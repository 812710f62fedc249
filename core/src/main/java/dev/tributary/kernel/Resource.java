package dev.tributary.kernel;

/**
 * Something that outlives a kernel's call: a variable, a queue, an accumulator, a table, a stack, a
 * tensor array.
 */
public interface Resource extends AutoCloseable {
  /** Gives back what it holds; called once, when its container drops it. */
  @Override
  void close();
}
