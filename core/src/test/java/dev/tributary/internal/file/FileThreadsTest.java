package dev.tributary.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FileThreadsTest {
  private final FileThreads threads = new FileThreads("test");
  private final AtomicBoolean mountIsDead = new AtomicBoolean(true);
  private final Semaphore began = new Semaphore(0);
  private final AtomicInteger interruptions = new AtomicInteger();

  @AfterEach
  void close() {
    mountIsDead.set(false);
    threads.close();
  }

  @Test
  void begin_moreThanThereArePlaces_waitsForOne() throws InterruptedException {
    List<FileTask> stuck = begin(FileThreads.PLACES);
    CountDownLatch done = new CountDownLatch(1);
    threads.begin(new FileTask("more", true, done::countDown));
    assertThat(done.await(50, TimeUnit.MILLISECONDS)).isFalse();

    threads.leave(stuck.get(0));

    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void begin_tooManyThreadsStuck_isRefusedUntilTheyComeBack() throws InterruptedException {
    for (int i = 0; i < FileThreads.MOST_LEFT; i += FileThreads.PLACES) {
      begin(FileThreads.PLACES).forEach(threads::leave);
    }

    TributaryException refusal =
        catchThrowableOfType(
            TributaryException.class, () -> threads.begin(new FileTask("more", true, () -> {})));
    assertThat(refusal.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
    assertThat(refusal).hasMessageContaining("stuck").hasMessageContaining("work 0");

    mountIsDead.set(false);
    CountDownLatch done = new CountDownLatch(1);
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!isBegun(new FileTask("later", true, done::countDown))) {
      assertThat(System.nanoTime()).isLessThan(limit);
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void leave_runningTask_interruptsItsThread() throws InterruptedException {
    FileTask task = begin(1).get(0);

    assertThat(threads.leave(task)).isFalse();

    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (interruptions.get() == 0) {
      assertThat(System.nanoTime()).isLessThan(limit);
      Thread.onSpinWait();
    }
  }

  @Test
  void leave_waitingTask_isNeverDone() throws InterruptedException {
    begin(FileThreads.PLACES);
    AtomicBoolean done = new AtomicBoolean();
    FileTask waiting = new FileTask("waiting", true, () -> done.set(true));
    threads.begin(waiting);

    assertThat(threads.leave(waiting)).isTrue();
    assertThat(threads.leave(waiting)).isFalse();

    mountIsDead.set(false);
    threads.close();
    assertThat(done).isFalse();
  }

  @Test
  void leave_beforeItBegan_isNeverDone() {
    AtomicBoolean done = new AtomicBoolean();
    FileTask task = new FileTask("early", true, () -> done.set(true));

    assertThat(threads.leave(task)).isTrue();
    threads.begin(task);

    threads.close();
    assertThat(done).isFalse();
  }

  @Test
  void interruption_ofOneTask_doesNotReachTheNext() throws InterruptedException {
    for (int i = 0; i < 1000; i++) {
      CountDownLatch running = new CountDownLatch(1);
      FileTask brief = new FileTask("brief", true, running::countDown);
      threads.begin(brief);
      running.await(10, TimeUnit.SECONDS);
      threads.leave(brief);
      CountDownLatch done = new CountDownLatch(1);
      AtomicBoolean interrupted = new AtomicBoolean();
      threads.begin(
          new FileTask(
              "next",
              true,
              () -> {
                interrupted.set(Thread.currentThread().isInterrupted());
                done.countDown();
              }));
      assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(interrupted).isFalse();
    }
  }

  private boolean isBegun(FileTask task) {
    try {
      threads.begin(task);
      return true;
    } catch (TributaryException e) {
      return false;
    }
  }

  /** Work that no interruption ends, as a system call on a mount that does not answer. */
  private List<FileTask> begin(int count) throws InterruptedException {
    List<FileTask> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FileTask task = new FileTask("work " + i, true, this::hang);
      threads.begin(task);
      tasks.add(task);
    }
    assertThat(began.tryAcquire(count, 20, TimeUnit.SECONDS)).isTrue();
    return tasks;
  }

  private void hang() {
    began.release();
    while (mountIsDead.get()) {
      LockSupport.parkNanos(1_000_000);
      if (Thread.interrupted()) {
        interruptions.incrementAndGet();
      }
    }
  }
}
