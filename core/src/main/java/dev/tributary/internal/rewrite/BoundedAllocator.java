package dev.tributary.internal.rewrite;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.AllocatorStats;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.memory.NativeStorage;

/** Refuses blocks above a limit, so that trying to fold a huge constant costs nothing. */
record BoundedAllocator(Allocator source, long limit) implements Allocator {
  @Override
  public NativeStorage allocate(long bytes) {
    if (bytes > limit) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          "a block of " + bytes + " bytes passes the limit of " + limit);
    }
    return source.allocate(bytes);
  }

  @Override
  public void recycle(NativeStorage storage) {
    source.recycle(storage);
  }

  @Override
  public AllocatorStats stats() {
    return source.stats();
  }

  @Override
  public MemoryBudget budget() {
    return source.budget();
  }
}
