package dev.tributary.internal.memory;

/**
 * Lends blocks of a pool as long as those that it has lent fit into a budget, together with what
 * else the budget counts. Safe for use by many threads.
 */
public final class LimitedAllocator implements Allocator {
  /** The part of the limit that free blocks may take in the pool. */
  private static final int CACHED_PART = 4;

  private final PooledAllocator pool;
  private final MemoryBudget budget;
  private final long mostCached;

  public LimitedAllocator(PooledAllocator pool, MemoryBudget budget) {
    this.pool = pool;
    this.budget = budget;
    this.mostCached = Math.min(pool.cacheLimit(), budget.limit() / CACHED_PART);
  }

  @Override
  public NativeStorage allocate(long bytes) {
    boolean isPossible = bytes >= 0 && bytes <= SizeClasses.LARGEST;
    long capacity = isPossible ? SizeClasses.round(bytes) : Long.MAX_VALUE;
    if (!budget.tryReserve(capacity)) { // Before the system is asked for as much.
      throw budget.exhausted(bytes, "a tensor");
    }
    try {
      return pool.lend(this, bytes);
    } catch (RuntimeException | Error e) {
      budget.release(capacity);
      throw e;
    }
  }

  @Override
  public void recycle(NativeStorage storage) {
    budget.release(storage.capacity());
    pool.takeBack(storage, mostCached);
  }

  /** Those of the pool, which others may use, too. */
  @Override
  public AllocatorStats stats() {
    return pool.stats();
  }

  @Override
  public MemoryBudget budget() {
    return budget;
  }
}
