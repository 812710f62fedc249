package dev.tributary.internal.kernel;

/**
 * Something that outlives a kernel's call: a variable, a queue, an accumulator, a table, a stack, a
 * tensor array.
 */
public interface Resource extends AutoCloseable {
  /** The name of its kind in errors when memory runs out, in the plural: {@code variables}. */
  default String kind() {
    return "other resources";
  }

  /**
   * The bytes of the tensors that it holds, as far as they are known without waiting: whoever asks
   * may hold locks.
   */
  default long heldBytes() {
    return 0;
  }

  /** Gives back what it holds; called once, when its container drops it. */
  @Override
  void close();
}
