package dev.tributary.internal.memory;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lends blocks of exactly the size asked for, with a margin on both sides that nobody may write to,
 * and refuses large ones. A write into a margin is found when the block comes back, or at the
 * latest by {@link #requireAllBack}.
 */
public final class GuardedAllocator implements Allocator {
  private static final long MARGIN = 4096;
  private static final byte MARK = (byte) 0xa5;

  private final Allocator source = Allocator.shared();
  private final long limit;
  private final Map<NativeStorage, NativeStorage> lent = new ConcurrentHashMap<>();
  private volatile String damage = "";

  public GuardedAllocator(long limit) {
    this.limit = limit;
  }

  @Override
  public NativeStorage allocate(long bytes) {
    if (bytes < 0 || bytes > limit) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED, bytes + " bytes pass the limit of " + limit);
    }
    NativeStorage block = source.allocate(bytes + 2 * MARGIN);
    Memory.fill(block.address(), bytes + 2 * MARGIN, MARK);
    NativeStorage inner = new NativeStorage(this, block.address() + MARGIN, bytes);
    lent.put(inner, block);
    return inner;
  }

  @Override
  public void recycle(NativeStorage storage) {
    check(storage.address() - MARGIN, storage);
    check(storage.address() + storage.capacity(), storage);
    lent.remove(storage).release();
  }

  @Override
  public AllocatorStats stats() {
    return source.stats();
  }

  /** Fails if a block is still lent, or if one came back with a margin that was written to. */
  public void requireAllBack() {
    String found = damage;
    int open = lent.size();
    lent.values().forEach(NativeStorage::release);
    lent.clear();
    damage = "";
    if (!found.isEmpty()) {
      throw new AssertionError(found);
    }
    if (open > 0) {
      throw new AssertionError(open + " blocks were not closed");
    }
  }

  private void check(long margin, NativeStorage storage) {
    for (long i = 0; i < MARGIN; i += Long.BYTES) {
      if (Memory.getLong(margin + i) != 0xa5a5a5a5a5a5a5a5L) {
        damage =
            String.format(
                "a write %d bytes from the start of a block of %d",
                margin + i - storage.address(), storage.capacity());
      }
    }
  }
}
