package dev.tributary.rewrite;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Allocator;
import dev.tributary.tensor.AllocatorStats;
import dev.tributary.tensor.NativeStorage;

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
  public boolean isLimited() {
    return true;
  }
}
