package dev.tributary.internal.memory;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.IdleLooks;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.internal.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Keeps released blocks in one free list for each size class, up to a bound, and meters what it
 * gives out. Free blocks that nobody has needed for a while go back to the system.
 *
 * <p>While it {@linkplain #track tracks}, it remembers where each block was allocated; {@link
 * #live} then lists the leaks. Tests turn that on; it costs a stack walk for each tensor.
 */
public final class PooledAllocator implements Allocator {
  static final PooledAllocator SHARED =
      new PooledAllocator(
          1L << 30, false, MachineMemory::defaultLimit, Optional.of(ThreadTimer.shared()));

  /** Up to this size nobody need ask how much memory the machine has. */
  private static final long LITTLE = 1L << 26;

  private final FreeList[] free = new FreeList[SizeClasses.COUNT];
  private final long cacheLimit;
  private final LongSupplier limit;

  /** Looks for free blocks that nobody needs; one is kept for one pause at least, two at most. */
  private final Optional<IdleLooks> looks;

  private final Map<Long, Throwable> tracked = new ConcurrentHashMap<>();
  private volatile boolean tracking;

  // Not more counters than are needed: each costs some nanoseconds for every tensor. What is live
  // is the rest of what the system gave.
  private final AtomicLong systemBytes = new AtomicLong();
  private final AtomicLong cachedBytes = new AtomicLong();
  private final AtomicLong peakLiveBytes = new AtomicLong();
  private final LongAdder fresh = new LongAdder();
  private final LongAdder reuses = new LongAdder();
  private final LongAdder releases = new LongAdder();

  /** One that keeps free blocks until {@link #trim}, and lends as much as the machine has. */
  public PooledAllocator(long cacheLimit, boolean tracking) {
    this(cacheLimit, tracking, MachineMemory::defaultLimit, Optional.empty());
  }

  /**
   * @param cacheLimit the most free bytes to keep; what comes back beyond that goes to the system
   * @param tracking whether to remember the allocation site of every live block
   * @param limit the most bytes to have of the system; not asked as long as there are few
   * @param timer repeats the look for free blocks that nobody needs; without it they are kept
   */
  PooledAllocator(long cacheLimit, boolean tracking, LongSupplier limit, Optional<Timer> timer) {
    this.cacheLimit = cacheLimit;
    this.tracking = tracking;
    this.limit = limit;
    this.looks = timer.map(time -> new IdleLooks(time, this::trimIdle));
    for (int i = 0; i < free.length; i++) {
      free[i] = new FreeList();
    }
  }

  @Override
  public NativeStorage allocate(long bytes) {
    return lend(this, bytes);
  }

  @Override
  public void recycle(NativeStorage storage) {
    takeBack(storage, cacheLimit);
  }

  /** The most free bytes that it keeps. */
  long cacheLimit() {
    return cacheLimit;
  }

  /**
   * A block that comes back to another allocator, which then gives it back here.
   *
   * @param owner who the block comes back to
   */
  NativeStorage lend(Allocator owner, long bytes) {
    if (bytes < 0 || bytes > SizeClasses.LARGEST) {
      throw exhausted(bytes, null);
    }
    int sizeClass = SizeClasses.indexOf(bytes);
    long capacity = SizeClasses.sizeOf(sizeClass);
    long address = free[sizeClass].pop();
    if (address == FreeList.NONE) {
      address = fromSystem(capacity);
      fresh.increment();
    } else {
      reuses.increment();
      cachedBytes.addAndGet(-capacity);
    }
    long live = liveBytes();
    if (live > peakLiveBytes.get()) {
      peakLiveBytes.accumulateAndGet(live, Math::max);
    }
    NativeStorage storage = new NativeStorage(owner, address, capacity);
    if (tracking) {
      tracked.put(address, new Throwable("allocated " + bytes + " bytes here"));
    }
    return storage;
  }

  /**
   * Takes back a block of {@link #lend}.
   *
   * @param mostCached the most free bytes to keep
   */
  void takeBack(NativeStorage storage, long mostCached) {
    long capacity = storage.capacity();
    if (!tracked.isEmpty()) {
      tracked.remove(storage.address());
    }
    releases.increment();
    int sizeClass = SizeClasses.indexOf(capacity);
    if (cachedBytes.addAndGet(capacity) > mostCached) {
      giveToSystem(storage.address(), sizeClass);
    } else {
      free[sizeClass].push(storage.address());
      if (looks.isPresent()) {
        looks.get().begin();
      }
    }
  }

  @Override
  public AllocatorStats stats() {
    // Releases first: one that comes between the two must not count before its allocation.
    long released = releases.sum();
    long reused = reuses.sum();
    long allocated = fresh.sum() + reused;
    return new AllocatorStats(
        allocated - released,
        liveBytes(),
        cachedBytes.get(),
        peakLiveBytes.get(),
        allocated,
        reused);
  }

  /**
   * Turns leak detection on or off: whether to remember the sites of allocations from now on. For
   * {@link Allocator#shared}, it also decides whether tensors remember where they were closed.
   */
  public void track(boolean on) {
    tracking = on;
  }

  public boolean isTracking() {
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
        giveToSystem(block, i);
      }
    }
  }

  /**
   * Gives back the free blocks that nobody has needed since the last look. Returns whether others
   * are left.
   */
  private boolean trimIdle() {
    long freed = 0;
    for (int i = 0; i < free.length; i++) {
      for (long block : free[i].takeIdle()) {
        giveToSystem(block, i);
        freed += SizeClasses.sizeOf(i);
      }
    }
    if (freed > LITTLE) {
      NativeHeap.trim();
    }
    return cachedBytes.get() > 0;
  }

  private void giveToSystem(long block, int sizeClass) {
    systemBytes.addAndGet(-SizeClasses.sizeOf(sizeClass));
    cachedBytes.addAndGet(-SizeClasses.sizeOf(sizeClass));
    Memory.free(block);
  }

  /** A new block, which counts as live. */
  private long fromSystem(long capacity) {
    if (!reserve(capacity)) {
      trim(); // Free blocks of other sizes may be what is missing.
      if (!reserve(capacity)) {
        throw exhausted(capacity, null);
      }
    }
    try {
      return Memory.allocate(capacity);
    } catch (OutOfMemoryError first) {
      trim();
      try {
        return Memory.allocate(capacity);
      } catch (OutOfMemoryError e) {
        systemBytes.addAndGet(-capacity);
        throw exhausted(capacity, e);
      }
    }
  }

  /**
   * Returns whether so much may be asked of the system. One that overcommits says yes to anything,
   * and ends the process when the memory is touched.
   */
  private boolean reserve(long capacity) {
    long before = systemBytes.get();
    long most = before + capacity <= LITTLE ? Long.MAX_VALUE : limit.getAsLong();
    if (capacity > most - before) {
      return false;
    }
    if (systemBytes.addAndGet(capacity) > most) {
      systemBytes.addAndGet(-capacity);
      return false;
    }
    return true;
  }

  private long liveBytes() {
    return systemBytes.get() - cachedBytes.get();
  }

  private TributaryException exhausted(long bytes, Throwable cause) {
    return new TributaryException(
        ErrorCode.RESOURCE_EXHAUSTED,
        String.format(
            "no native memory for a tensor of %d bytes; %d bytes are live, and this process may use"
                + " %s, which follows from the machine's memory and the Java heap's (-Xmx)",
            bytes, liveBytes(), ByteText.of(limit.getAsLong())),
        cause);
  }
}
