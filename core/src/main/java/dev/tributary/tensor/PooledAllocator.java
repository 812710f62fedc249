package dev.tributary.tensor;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps released blocks in one free list for each size class, up to a bound, and meters what it gives out.
 *
 * <p>With {@code tracking} it remembers where each live block was allocated; {@link #live} then tells who leaks. Tests turn
 * that on; it costs a stack walk for each tensor.
 */
public final class PooledAllocator implements Allocator {
  static final PooledAllocator SHARED = new PooledAllocator(1L << 30, false);

  private static final long ALIGNMENT = 64;

  private final FreeList[] free = new FreeList[SizeClasses.COUNT];
  private final long cacheLimit;
  private final Map<NativeStorage, Throwable> tracked;
  private final AtomicLong cachedBytes = new AtomicLong();
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicLong peakLiveBytes = new AtomicLong();
  private final AtomicLong liveBuffers = new AtomicLong();
  private final LongAdder allocations = new LongAdder();
  private final LongAdder reuses = new LongAdder();

  /**
   * @param cacheLimit the most free bytes to keep; what comes back beyond that goes to the system
   * @param tracking whether to remember the allocation site of every live block
   */
  public PooledAllocator(long cacheLimit, boolean tracking) {
    this.cacheLimit = cacheLimit;
    this.tracked = tracking ? new ConcurrentHashMap<>() : Map.of();
    for (int i = 0; i < free.length; i++) {
      free[i] = new FreeList();
    }
  }

  @Override
  public NativeStorage allocate(long bytes) {
    int sizeClass = SizeClasses.indexOf(bytes);
    NativeStorage storage = free[sizeClass].pop();
    allocations.increment();
    if (storage != null) {
      reuses.increment();
      cachedBytes.addAndGet(-storage.capacity());
      storage.revive();
    } else {
      storage = fromSystem(SizeClasses.sizeOf(sizeClass));
    }
    liveBuffers.incrementAndGet();
    long live = liveBytes.addAndGet(storage.capacity());
    if (live > peakLiveBytes.get()) {
      peakLiveBytes.accumulateAndGet(live, Math::max);
    }
    if (tracked instanceof ConcurrentHashMap) {
      tracked.put(storage, new Throwable("allocated " + bytes + " bytes here"));
    }
    return storage;
  }

  @Override
  public void recycle(NativeStorage storage) {
    if (tracked instanceof ConcurrentHashMap) {
      tracked.remove(storage);
    }
    liveBuffers.decrementAndGet();
    liveBytes.addAndGet(-storage.capacity());
    if (cachedBytes.addAndGet(storage.capacity()) > cacheLimit) {
      cachedBytes.addAndGet(-storage.capacity());
      storage.returnToSystem();
    } else {
      free[SizeClasses.indexOf(storage.capacity())].push(storage);
    }
  }

  @Override
  public AllocatorStats stats() {
    return new AllocatorStats(
        liveBuffers.get(), liveBytes.get(), cachedBytes.get(), peakLiveBytes.get(), allocations.sum(), reuses.sum());
  }

  /** Where the live blocks were allocated; empty unless this allocator tracks them. */
  public List<Throwable> live() {
    return new ArrayList<>(tracked.values());
  }

  private NativeStorage fromSystem(long capacity) {
    try {
      long block = Memory.allocate(capacity + ALIGNMENT);
      long address = (block + ALIGNMENT - 1) & -ALIGNMENT;
      return new NativeStorage(this, block, address, capacity);
    } catch (OutOfMemoryError e) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format("no native memory for a tensor of %d bytes; %d bytes are live", capacity, liveBytes.get()),
          e);
    }
  }

  /** A stack of free blocks, guarded by its own monitor. */
  private static final class FreeList {
    private NativeStorage[] blocks = new NativeStorage[8];
    private int count;

    synchronized NativeStorage pop() {
      if (count == 0) {
        return null;
      }
      NativeStorage last = blocks[--count];
      blocks[count] = null;
      return last;
    }

    synchronized void push(NativeStorage storage) {
      if (count == blocks.length) {
        blocks = java.util.Arrays.copyOf(blocks, 2 * count);
      }
      blocks[count++] = storage;
    }
  }
}
