package dev.tributary.internal.memory;

/**
 * Hands out native memory for tensors. Blocks start at a multiple of 64 bytes, as vector units and
 * oneDNN like them. Safe for use by many threads.
 */
public interface Allocator {
  /** A block of at least this many bytes with one reference, contents undefined. */
  NativeStorage allocate(long bytes);

  /** Takes back a block whose last reference is gone; only {@link NativeStorage} calls this. */
  void recycle(NativeStorage storage);

  AllocatorStats stats();

  /** The budget that counts what it lends, for those who have memory elsewhere to be counted. */
  default MemoryBudget budget() {
    return MemoryBudget.UNLIMITED;
  }

  /**
   * The allocator of tensors which no session owns: those that user code makes, and constants in
   * graphs.
   */
  static PooledAllocator shared() {
    return PooledAllocator.SHARED;
  }
}
