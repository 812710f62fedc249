package dev.tributary.internal.kernel.data;

import dev.tributary.internal.memory.MemoryBudget;

/**
 * The Java heap that pipelines take for elements in buffers and for open passes. It counts in the
 * budget of the device, beside the values of the elements, which their allocator counts; and as all
 * devices of a process share one heap, it counts in a part of that, too. Pipelines leave a quarter
 * of the device's memory to others, or a few that read ahead would leave nothing to anybody. Safe
 * for use by many threads.
 */
final class PipelineHeap {
  /** An element: its array, its place in a buffer, and the objects of its storage. */
  private static final long ELEMENT_BYTES = 64;

  private static final long COMPONENT_BYTES = 128;

  /** A stage with what it needs to wait for others. */
  private static final long PASS_BYTES = 512;

  private static final MemoryBudget OF_PROCESS =
      new MemoryBudget(Runtime.getRuntime().maxMemory() / 4, "the size of the Java heap (-Xmx)");

  private final MemoryBudget device;

  PipelineHeap(MemoryBudget device) {
    this.device = device;
  }

  static long ofElement(int components) {
    return ELEMENT_BYTES + components * COMPONENT_BYTES;
  }

  static long ofPasses(long count) {
    return count * PASS_BYTES;
  }

  /**
   * Takes this much, or fails with RESOURCE_EXHAUSTED.
   *
   * @param what errors call it
   */
  void take(long bytes, String what) {
    OF_PROCESS.reserve(bytes, what);
    if (!takeOfDevice(bytes)) {
      OF_PROCESS.release(bytes);
      throw device.exhausted(bytes, what + ", which leaves a quarter of the memory to others,");
    }
  }

  private boolean takeOfDevice(long bytes) {
    long limit = device.limit();
    return device.used() + bytes <= limit - limit / 4 && device.tryReserve(bytes);
  }

  /** Takes this much if it fits. */
  boolean tryTake(long bytes) {
    if (!OF_PROCESS.tryReserve(bytes)) {
      return false;
    }
    if (!takeOfDevice(bytes)) {
      OF_PROCESS.release(bytes);
      return false;
    }
    return true;
  }

  void giveBack(long bytes) {
    OF_PROCESS.release(bytes);
    device.release(bytes);
  }
}
