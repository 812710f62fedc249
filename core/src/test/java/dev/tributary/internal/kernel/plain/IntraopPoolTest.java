package dev.tributary.internal.kernel.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ParallelFor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class IntraopPoolTest {
  @Test
  void run_manyChunks_callsEachOnce() {
    try (IntraopPool pool = new IntraopPool(4)) {
      AtomicIntegerArray calls = new AtomicIntegerArray(1000);
      pool.run(1000, calls::incrementAndGet);
      for (int i = 0; i < 1000; i++) {
        assertThat(calls.get(i)).isEqualTo(1);
      }
    }
  }

  @Test
  void run_severalThreads_workAtOnce() {
    try (IntraopPool pool = new IntraopPool(3)) {
      CountDownLatch all = new CountDownLatch(3);
      Set<String> names = ConcurrentHashMap.newKeySet();
      pool.run(
          3,
          i -> {
            names.add(Thread.currentThread().getName());
            all.countDown();
            await(all);
          });
      assertThat(names).hasSize(3).contains("tributary-intraop-0", "tributary-intraop-1");
    }
  }

  @Test
  void run_oneThread_staysOnCaller() {
    try (IntraopPool pool = new IntraopPool(1)) {
      pool.run(5, i -> assertThat(Thread.currentThread().getName()).doesNotContain("intraop"));
    }
  }

  @Test
  void run_nestedAndConcurrent_finishes() throws InterruptedException {
    try (IntraopPool pool = new IntraopPool(2)) {
      LongAdder count = new LongAdder();
      Runnable step =
          () -> pool.run(20, i -> pool.run(20, j -> pool.run(3, k -> count.increment())));
      Thread[] steps = new Thread[4];
      for (int i = 0; i < steps.length; i++) {
        steps[i] = new Thread(step, "step-" + i);
        steps[i].start();
      }
      for (Thread thread : steps) {
        thread.join();
      }
      assertThat(count.sum()).isEqualTo(4 * 20 * 20 * 3);
    }
  }

  @Test
  void run_failure_reachesCaller() {
    try (IntraopPool pool = new IntraopPool(3)) {
      assertThatThrownBy(
              () ->
                  pool.run(
                      50,
                      i -> {
                        if (i == 31) {
                          throw TributaryException.invalidArgument("chunk %d", i);
                        }
                      }))
          .isInstanceOf(TributaryException.class)
          .hasMessage("chunk 31");
    }
  }

  @Test
  void run_afterClose_worksOnCaller() {
    IntraopPool pool = new IntraopPool(3);
    pool.close();
    LongAdder count = new LongAdder();
    pool.run(10, i -> count.increment());
    assertThat(count.sum()).isEqualTo(10);
  }

  @Test
  void range_oddTotals_areCovered() {
    try (IntraopPool pool = new IntraopPool(3)) {
      for (ParallelFor parallel : new ParallelFor[] {pool, ParallelFor.INLINE}) {
        for (long total : new long[] {0, 1, 2, 11, 12, 13, 1001}) {
          LongAdder sum = new LongAdder();
          parallel.range(
              total,
              2,
              (from, to) -> {
                assertThat(from).isLessThan(to);
                sum.add(to - from);
              });
          assertThat(sum.sum()).isEqualTo(total);
        }
      }
    }
  }

  @Test
  void zeroThreads_areRejected() {
    assertThatThrownBy(() -> new IntraopPool(0))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("got 0");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
