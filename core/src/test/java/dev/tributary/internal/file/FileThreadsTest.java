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
    List<FileTask> stuck = begin(FilePlaces.PLACES);
    CountDownLatch done = new CountDownLatch(1);
    threads.begin(new FileTask("more", true, done::countDown));
    assertThat(done.await(50, TimeUnit.MILLISECONDS)).isFalse();

    threads.leave(stuck.get(0));

    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void begin_tooManyThreadsStuck_isRefusedUntilTheyComeBack() throws InterruptedException {
    for (int i = 0; i < FilePlaces.MOST_LEFT; i += FilePlaces.PLACES) {
      begin(FilePlaces.PLACES).forEach(threads::leave);
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
  void begin_allPlacesTakenByAnotherSession_runsAtOnceOneByOne() throws InterruptedException {
    begin(FilePlaces.PLACES);
    FileThreads other = threads.forSession();
    Semaphore done = new Semaphore(0);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();

    for (int i = 0; i < 100; i++) {
      other.begin(
          new FileTask(
              "read " + i,
              true,
              () -> {
                most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                atOnce.decrementAndGet();
                done.release();
              }));
    }

    assertThat(done.tryAcquire(100, 20, TimeUnit.SECONDS)).isTrue();
    assertThat(most).hasValue(1);
  }

  @Test
  void begin_manyThreadsOfAnotherSessionStuck_isRefusedForThatSessionOnly()
      throws InterruptedException {
    for (int i = 0; i < FilePlaces.MOST_LEFT; i += FilePlaces.PLACES) {
      begin(FilePlaces.PLACES).forEach(threads::leave);
    }
    CountDownLatch done = new CountDownLatch(1);

    threads.forSession().begin(new FileTask("read", true, done::countDown));

    assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(isBegun(new FileTask("more", true, () -> {}))).isFalse();
  }

  @Test
  void begin_manySessionsLeftTheirThreads_isRefusedForNewOnesToo() throws InterruptedException {
    for (int i = 0; i < FilePlaces.MOST_LEFT_OF_ALL; i += FilePlaces.PLACES) {
      FileThreads session = threads.forSession();
      begin(session, FilePlaces.PLACES).forEach(session::leave);
    }

    assertThat(
            catchThrowableOfType(
                TributaryException.class,
                () -> threads.forSession().begin(new FileTask("read", true, () -> {}))))
        .hasMessageContaining("256 threads are stuck");
  }

  @Test
  void placeThatIsFree_twoSessionsWait_goesToEachInTurn() throws InterruptedException {
    FileThreads one = threads.forSession();
    FileThreads two = threads.forSession();
    List<FileTask> stuck = begin(FilePlaces.PLACES - 2);
    begin(one, 1);
    begin(two, 1);
    Semaphore done = new Semaphore(0);
    List<String> order = new ArrayList<>();
    for (FileThreads session : List.of(one, two)) {
      for (int i = 0; i < 3; i++) {
        String name = (session == one ? "one " : "two ") + i;
        session.begin(
            new FileTask(
                name,
                true,
                () -> {
                  order.add(name);
                  done.release();
                }));
      }
    }

    threads.leave(stuck.get(0));

    assertThat(done.tryAcquire(6, 20, TimeUnit.SECONDS)).isTrue();
    assertThat(order).containsExactly("one 0", "two 0", "one 1", "two 1", "one 2", "two 2");
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
    begin(FilePlaces.PLACES);
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
    return begin(threads, count);
  }

  private List<FileTask> begin(FileThreads session, int count) throws InterruptedException {
    List<FileTask> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FileTask task = new FileTask("work " + i, true, this::hang);
      session.begin(task);
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
