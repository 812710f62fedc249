package dev.tributary.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.IdleLooks;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FakeClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PooledAllocatorTest {
  private static final long LIMIT = 1 << 16;

  private final PooledAllocator allocator = new PooledAllocator(LIMIT, false);

  @AfterEach
  void trim() {
    allocator.trim();
    assertThat(allocator.stats().cachedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 63, 64, 65, 1000, 4097, 1 << 20})
  void allocate_anySize_isAlignedAndLargeEnough(long bytes) {
    NativeStorage storage = allocator.allocate(bytes);

    assertThat(storage.address() % 64).isZero();
    assertThat(storage.capacity()).isGreaterThanOrEqualTo(bytes);
    storage.release();
  }

  @Test
  void allocate_afterReleaseOfTheSameClass_reusesTheMemoryUnderANewStorage() {
    NativeStorage first = allocator.allocate(1000);
    first.release();
    NativeStorage second = allocator.allocate(1010);

    assertThat(second.address()).isEqualTo(first.address());
    assertThat(second).isNotSameAs(first);
    assertThat(allocator.stats().reuses()).isEqualTo(1);
    second.release();
  }

  @Test
  void release_pastTheBound_keepsNoMoreThanTheBound() {
    List<NativeStorage> lent = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      lent.add(allocator.allocate(4096));
    }
    lent.forEach(Storage::release);

    assertThat(allocator.stats().cachedBytes()).isEqualTo(LIMIT);
  }

  @Test
  void release_largeBlock_goesBackToTheSystemWhenNobodyNeedsItForAWhile() {
    FakeClock clock = new FakeClock();
    PooledAllocator pool =
        new PooledAllocator(LIMIT, false, () -> Long.MAX_VALUE, Optional.of(clock));
    pool.allocate(LIMIT / 2).release();
    assertThat(clock.pending()).isEqualTo(1);

    clock.advance(IdleLooks.PAUSE); // From here on it is idle.
    assertThat(pool.stats().cachedBytes()).isEqualTo(LIMIT / 2);
    clock.advance(IdleLooks.PAUSE);

    assertThat(pool.stats().cachedBytes()).isZero();
    assertThat(clock.pending()).isZero();
  }

  @Test
  void release_blocksThatAreInUseNowAndThen_areKept() {
    FakeClock clock = new FakeClock();
    PooledAllocator pool =
        new PooledAllocator(LIMIT, false, () -> Long.MAX_VALUE, Optional.of(clock));
    List<NativeStorage> four = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      four.add(pool.allocate(4096));
    }
    four.forEach(Storage::release);
    for (int look = 0; look < 5; look++) {
      clock.advance(IdleLooks.PAUSE);
      NativeStorage first = pool.allocate(4096);
      NativeStorage second = pool.allocate(4096);
      first.release();
      second.release();
    }

    assertThat(pool.stats().cachedBytes()).isEqualTo(2 * 4096);
    pool.trim();
  }

  @Test
  void allocate_manyBlocksThatTogetherPassTheLimit_isExhausted() {
    long block = 10 << 20;
    PooledAllocator pool = new PooledAllocator(0, false, () -> 20 * block, Optional.empty());
    List<NativeStorage> lent = new ArrayList<>();

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 30; i++) {
                lent.add(pool.allocate(block));
              }
            })
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED))
        .hasMessageContaining("this process may use 200.0 MiB");
    assertThat(lent).hasSize(20);
    lent.forEach(Storage::release);
    assertThat(pool.stats().liveBytes()).isZero();
  }

  @Test
  void allocate_freeBlocksOfOtherSizesFillTheLimit_takesTheirMemory() {
    long block = 10 << 20;
    PooledAllocator pool =
        new PooledAllocator(Long.MAX_VALUE, false, () -> 10 * block, Optional.empty());
    pool.allocate(9 * block).release();

    NativeStorage other = pool.allocate(4 * block);

    assertThat(pool.stats().cachedBytes()).isZero();
    other.release();
    pool.trim();
  }

  @Test
  void stats_afterSomeTraffic_countBlocksAndBytes() {
    NativeStorage small = allocator.allocate(64);
    NativeStorage large = allocator.allocate(4096);
    large.release();
    NativeStorage again = allocator.allocate(4096);

    assertThat(allocator.stats()).isEqualTo(new AllocatorStats(2, 4160, 0, 4160, 3, 1));
    small.release();
    again.release();
    assertThat(allocator.stats()).isEqualTo(new AllocatorStats(0, 0, 4160, 4160, 3, 1));
  }

  @Test
  void release_twice_failsAndLeavesTheNextHolderAlone() {
    NativeStorage storage = allocator.allocate(64);
    storage.release();
    NativeStorage next = allocator.allocate(64);

    assertThat(storage.release()).isFalse();
    assertThat(storage.retain(1)).isFalse();
    assertThat(next.references()).isEqualTo(1);
    assertThat(allocator.stats().liveBuffers()).isEqualTo(1);
    next.release();
  }

  @Test
  void tensor_afterItsLastRelease_cannotBeUsed() {
    Tensor tensor = Tensor.zeros(allocator, DataType.FLOAT, Shape.of(4));
    tensor.close();
    Tensor next = Tensor.zeros(allocator, DataType.FLOAT, Shape.of(4));

    assertThat(tensor.isClosed()).isTrue();
    requireClosed(tensor::storage, "used after");
    requireClosed(() -> tensor.getFloat(0), "used after");
    requireClosed(tensor::toFloats, "used after");
    requireClosed(tensor::retain, "used after");
    requireClosed(() -> tensor.withShape(Shape.of(2, 2)), "used after");
    next.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, 1L << 45, 1L << 50, Long.MAX_VALUE})
  void allocate_impossibleSize_isExhaustedAndCountsNothing(long bytes) {
    assertThatThrownBy(() -> allocator.allocate(bytes))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED));
    assertThat(allocator.stats()).isEqualTo(new AllocatorStats(0, 0, 0, 0, 0, 0));
  }

  @Test
  void live_whileTracking_showsTheSite() {
    PooledAllocator tracking = new PooledAllocator(0, true);
    NativeStorage storage = tracking.allocate(100);

    assertThat(tracking.live()).hasSize(1);
    assertThat(tracking.live().get(0)).hasMessage("allocated 100 bytes here");
    assertThat(tracking.live().get(0).getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("live_whileTracking_showsTheSite"));
    storage.release();
    assertThat(tracking.live()).isEmpty();
  }

  @Test
  void track_switchedOffAndOn_forgetsWhatIsReleased() {
    allocator.track(true);
    NativeStorage tracked = allocator.allocate(1);
    allocator.track(false);
    NativeStorage untracked = allocator.allocate(1);

    assertThat(allocator.live()).hasSize(1);
    tracked.release();
    untracked.release();
    assertThat(allocator.live()).isEmpty();
  }

  @Test
  void allocator_hammeredByEightThreads_lendsEachBlockOnceAndEndsEmpty() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (int seed = 0; seed < 8; seed++) {
        Random random = new Random(seed);
        long mark = seed;
        runs.add(threads.submit(() -> hammer(random, mark)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    } finally {
      threads.shutdown();
    }

    AllocatorStats stats = allocator.stats();
    assertThat(stats.liveBuffers()).isZero();
    assertThat(stats.liveBytes()).isZero();
    assertThat(stats.cachedBytes()).isBetween(0L, LIMIT);
    assertThat(stats.allocations()).isEqualTo(8 * 5000);
    assertThat(stats.reuses()).isPositive();
  }

  /**
   * Marks every block at both ends and looks for the marks before release: a block lent twice would
   * show another's.
   */
  private void hammer(Random random, long mark) {
    NativeStorage[] held = new NativeStorage[16];
    for (int i = 0; i < 5000; i++) {
      int slot = random.nextInt(held.length);
      release(held[slot], mark);
      held[slot] = allocator.allocate(random.nextInt(2000));
      Memory.putLong(held[slot].address(), mark);
      Memory.putLong(held[slot].address() + held[slot].capacity() - 8, mark);
    }
    for (NativeStorage storage : held) {
      release(storage, mark);
    }
  }

  private static void release(NativeStorage storage, long mark) {
    if (storage != null) {
      assertThat(Memory.getLong(storage.address())).isEqualTo(mark);
      assertThat(Memory.getLong(storage.address() + storage.capacity() - 8)).isEqualTo(mark);
      storage.release();
    }
  }

  private static void requireClosed(Runnable use, String part) {
    assertThatThrownBy(use::run)
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
        .hasMessageContaining(part);
  }
}
