package dev.tributary.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadTimerTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void after_dueTask_runsOnTheTimersThread() throws Exception {
    CompletableFuture<String> ran = new CompletableFuture<>();
    try (ThreadTimer timer = new ThreadTimer(task -> new Thread(task, "ticks"))) {
      timer.after(Duration.ZERO, () -> ran.complete(Thread.currentThread().getName()));

      assertThat(ran.get(30, TimeUnit.SECONDS)).isEqualTo("ticks");
    }
  }

  @Test
  void close_pendingAndLaterTasks_runOnceEach() {
    ThreadTimer timer = new ThreadTimer(Thread::new);
    timer.after(HOUR, runs::incrementAndGet);

    timer.close();
    assertThat(runs).hasValue(1);
    timer.after(HOUR, runs::incrementAndGet).cancel();

    assertThat(runs).hasValue(2);
    assertThat(timer.isClosed()).isTrue();
  }

  @Test
  void cancel_pendingTask_isLeftOutAlsoAtTheEnd() {
    ThreadTimer timer = new ThreadTimer(Thread::new);
    timer.after(HOUR, runs::incrementAndGet).cancel();

    timer.close();

    assertThat(runs).hasValue(0);
  }

  @Test
  void every_closedTimer_endsInsteadOfRepeating() {
    ThreadTimer timer = new ThreadTimer(Thread::new);
    timer.every(HOUR, () -> runs.incrementAndGet() > 0);

    timer.close();
    timer.every(HOUR, () -> runs.incrementAndGet() > 0);

    assertThat(runs).hasValue(0);
  }
}
