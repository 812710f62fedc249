package dev.tributary.internal.memory;

/**
 * The Java heap of what holds tensors and waits: elements in queues, staging areas, barriers and
 * the buffers of pipelines, in the arrays and stacks of loops, and open passes of pipelines. Very
 * many tiny tensors take more of it than their values do. It counts in the budget of the device,
 * beside the values, which their allocator counts; and as all devices of a process share one heap,
 * it counts in a part of that, too. Safe for use by many threads.
 */
public final class ElementHeap {
  /** An element: its array, its place in a buffer, and the objects of its storage. */
  private static final long ELEMENT_BYTES = 64;

  private static final long COMPONENT_BYTES = 128;

  /** A stage with what it needs to wait for others. */
  private static final long PASS_BYTES = 512;

  /** Pipelines that read ahead would leave nothing to anybody. */
  private static final int PART_LEFT_BY_PIPELINES = 4;

  private static final MemoryBudget OF_PROCESS =
      new MemoryBudget(Runtime.getRuntime().maxMemory() / 4, "the size of the Java heap (-Xmx)");

  private final MemoryBudget device;

  /** The memory of the device that stays for others. */
  private final long left;

  private ElementHeap(MemoryBudget device, long left) {
    this.device = device;
    this.left = left;
  }

  /** The heap of resources and steps on a device. */
  public static ElementHeap of(MemoryBudget device) {
    return new ElementHeap(device, 0);
  }

  /** The heap of pipelines on a device, which leave a quarter of its memory to others. */
  public static ElementHeap ofPipelines(MemoryBudget device) {
    return new ElementHeap(device, device.limit() / PART_LEFT_BY_PIPELINES);
  }

  public static long ofElement(int components) {
    return ELEMENT_BYTES + components * COMPONENT_BYTES;
  }

  public static long ofPasses(long count) {
    return count * PASS_BYTES;
  }

  /**
   * Takes this much, or fails with RESOURCE_EXHAUSTED.
   *
   * @param what errors call it
   */
  public void take(long bytes, String what) {
    OF_PROCESS.reserve(bytes, what);
    if (!takeOfDevice(bytes)) {
      OF_PROCESS.release(bytes);
      throw device.exhausted(
          bytes, left == 0 ? what : what + ", which leaves a quarter of the memory to others,");
    }
  }

  private boolean takeOfDevice(long bytes) {
    return (left == 0 || device.used() + bytes <= device.limit() - left)
        && device.tryReserve(bytes);
  }

  /** Takes this much if it fits. */
  public boolean tryTake(long bytes) {
    if (!OF_PROCESS.tryReserve(bytes)) {
      return false;
    }
    if (!takeOfDevice(bytes)) {
      OF_PROCESS.release(bytes);
      return false;
    }
    return true;
  }

  public void giveBack(long bytes) {
    OF_PROCESS.release(bytes);
    device.release(bytes);
  }
}
