package dev.tributary.internal.kernel.onednn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NativeThreadsTest {
  private static final int LIMIT = 3;

  private final NativeThreads threads = new NativeThreads(LIMIT, 30_000);

  @Test
  void take_manyCallersOfDifferentSizes_neverMoreThanTheLimitAtOnce() throws Exception {
    AtomicInteger admitted = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ExecutorService callers = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int wanted = 1 + i % 5;
        calls.add(callers.submit(() -> callOften(wanted, admitted, most)));
      }
      for (Future<?> call : calls) {
        call.get(50, TimeUnit.SECONDS);
      }
    } finally {
      callers.shutdownNow();
    }
    assertThat(most.get()).isBetween(1, LIMIT);
    assertThat(admitted.get()).isZero();
  }

  @Test
  void granted_moreThanTheLimit_isTheLimit() {
    assertThat(threads.granted(2)).isEqualTo(2);
    assertThat(threads.granted(100)).isEqualTo(LIMIT);
  }

  @Test
  void take_interruptedCaller_getsItsThreadsAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    threads.take(2);
    assertThat(Thread.interrupted()).isTrue();
    threads.give(2);
  }

  @Test
  void take_nothingGivenBackInTime_fails() {
    NativeThreads impatient = new NativeThreads(2, 1);
    impatient.take(1);

    assertThatThrownBy(() -> impatient.take(2))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("waited 1 ms for 2 of the process's 2 threads, of which 1 were free");
    impatient.take(1);
  }

  private void callOften(int wanted, AtomicInteger admitted, AtomicInteger most) {
    for (int i = 0; i < 500; i++) {
      threads.take(wanted);
      int now = admitted.addAndGet(threads.granted(wanted));
      most.accumulateAndGet(now, Math::max);
      Thread.yield();
      admitted.addAndGet(-threads.granted(wanted));
      threads.give(wanted);
    }
  }
}
