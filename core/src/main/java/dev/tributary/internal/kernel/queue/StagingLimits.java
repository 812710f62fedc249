package dev.tributary.internal.kernel.queue;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * The most that may be staged at once. Immutable.
 *
 * @param capacity the number of elements; 0 for any
 * @param memoryLimit the bytes of their tensors; 0 for any
 */
record StagingLimits(long capacity, long memoryLimit) {
  static StagingLimits of(KernelNode node) {
    return new StagingLimits(
        node.attributes().integer("capacity"), node.attributes().integer("memory_limit"));
  }

  /** The bytes of an element, which must be able to get in some time. */
  long requireBytes(List<Tensor> element) {
    long bytes = 0;
    for (Tensor tensor : element) {
      bytes += tensor.byteSize();
    }
    if (memoryLimit > 0 && bytes > memoryLimit) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format(
              "Attempted to insert tensors with combined size of '%d' bytes into Staging Area with"
                  + " a memory limit of '%d'.",
              bytes, memoryLimit));
    }
    return bytes;
  }

  /** Returns whether one more element of {@code added} bytes gets in. */
  boolean hasRoom(long count, long bytes, long added) {
    return (capacity == 0 || count < capacity) && hasMemory(bytes, added);
  }

  boolean hasMemory(long bytes, long added) {
    return memoryLimit == 0 || bytes + added <= memoryLimit;
  }
}
