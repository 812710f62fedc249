package dev.tributary.tensor;

import com.sun.management.OperatingSystemMXBean;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps released blocks in one free list for each size class, up to a bound, and meters what it
 * gives out.
 *
 * <p>While it {@linkplain #track tracks}, it remembers where each block was allocated; {@link
 * #live} then lists the leaks. Tests turn that on; it costs a stack walk for each tensor.
 */
public final class PooledAllocator implements Allocator {
  static final PooledAllocator SHARED = new PooledAllocator(1L << 30, false);

  /** From this size on a block is held against the machine's memory. */
  private static final long LARGE = 1L << 28;

  private final FreeList[] free = new FreeList[SizeClasses.COUNT];
  private final long cacheLimit;
  private final Map<Long, Throwable> tracked = new ConcurrentHashMap<>();
  private volatile boolean tracking;
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
    this.tracking = tracking;
    for (int i = 0; i < free.length; i++) {
      free[i] = new FreeList();
    }
  }

  @Override
  public NativeStorage allocate(long bytes) {
    if (bytes < 0 || bytes > SizeClasses.LARGEST) {
      throw exhausted(bytes, null);
    }
    int sizeClass = SizeClasses.indexOf(bytes);
    long capacity = SizeClasses.sizeOf(sizeClass);
    long address = free[sizeClass].pop();
    if (address == FreeList.NONE) {
      address = fromSystem(capacity);
    } else {
      reuses.increment();
      cachedBytes.addAndGet(-capacity);
    }
    allocations.increment();
    liveBuffers.incrementAndGet();
    long live = liveBytes.addAndGet(capacity);
    if (live > peakLiveBytes.get()) {
      peakLiveBytes.accumulateAndGet(live, Math::max);
    }
    NativeStorage storage = new NativeStorage(this, address, capacity);
    if (tracking) {
      tracked.put(address, new Throwable("allocated " + bytes + " bytes here"));
    }
    return storage;
  }

  @Override
  public void recycle(NativeStorage storage) {
    long capacity = storage.capacity();
    if (!tracked.isEmpty()) {
      tracked.remove(storage.address());
    }
    liveBuffers.decrementAndGet();
    liveBytes.addAndGet(-capacity);
    if (cachedBytes.addAndGet(capacity) > cacheLimit) {
      cachedBytes.addAndGet(-capacity);
      Memory.free(storage.address());
    } else {
      free[SizeClasses.indexOf(capacity)].push(storage.address());
    }
  }

  @Override
  public AllocatorStats stats() {
    return new AllocatorStats(
        liveBuffers.get(),
        liveBytes.get(),
        cachedBytes.get(),
        peakLiveBytes.get(),
        allocations.sum(),
        reuses.sum());
  }

  /**
   * Turns leak detection on or off: whether to remember the sites of allocations from now on. For
   * {@link Allocator#shared}, it also decides whether tensors remember where they were closed.
   */
  public void track(boolean on) {
    tracking = on;
  }

  boolean isTracking() {
    return tracking;
  }

  /** Returns where the live blocks were allocated, as far as this allocator tracked them then. */
  public List<Throwable> live() {
    return new ArrayList<>(tracked.values());
  }

  /** Gives all free blocks back to the system. */
  public void trim() {
    for (int i = 0; i < free.length; i++) {
      for (long block = free[i].pop(); block != FreeList.NONE; block = free[i].pop()) {
        cachedBytes.addAndGet(-SizeClasses.sizeOf(i));
        Memory.free(block);
      }
    }
  }

  private long fromSystem(long capacity) {
    // A system that overcommits says yes to anything, and ends the process when the memory is
    // touched.
    if (capacity > LARGE && liveBytes.get() + capacity > PhysicalMemory.BYTES) {
      throw exhausted(capacity, null);
    }
    try {
      return Memory.allocate(capacity);
    } catch (OutOfMemoryError first) {
      // Free blocks of other sizes may be what is missing.
      trim();
      try {
        return Memory.allocate(capacity);
      } catch (OutOfMemoryError e) {
        throw exhausted(capacity, e);
      }
    }
  }

  private TributaryException exhausted(long bytes, Throwable cause) {
    return new TributaryException(
        ErrorCode.RESOURCE_EXHAUSTED,
        String.format(
            "no native memory for a tensor of %d bytes; %d bytes are live", bytes, liveBytes.get()),
        cause);
  }

  /** Asked for once, and only when somebody wants a large block: the answer takes milliseconds. */
  private static final class PhysicalMemory {
    static final long BYTES =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }
}
