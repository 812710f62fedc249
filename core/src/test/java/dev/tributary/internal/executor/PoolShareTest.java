package dev.tributary.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolShareTest {
  private final Queue<Runnable> pool = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();

  @Test
  void execute_behindManyTasksOfAnotherShare_waitsForAFew() {
    PoolShare greedy = new PoolShare(pool::add, 2);
    PoolShare modest = new PoolShare(pool::add, 2);
    for (int i = 0; i < 1000; i++) {
      greedy.execute(() -> ran.add("greedy"));
    }
    modest.execute(() -> ran.add("modest"));

    runPool();

    assertThat(ran).hasSize(1001);
    assertThat(ran.indexOf("modest")).isEqualTo(2);
  }

  @Test
  void execute_tasksOfOneShare_runInOrder() {
    PoolShare share = new PoolShare(pool::add, 3);
    for (int i = 0; i < 10; i++) {
      String name = "task " + i;
      share.execute(() -> ran.add(name));
    }

    runPool();

    assertThat(ran).isSorted().hasSize(10);
  }

  @Test
  void execute_taskThatThrows_leavesItsPlaceToTheNext() {
    PoolShare share = new PoolShare(pool::add, 1);
    share.execute(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    share.execute(() -> ran.add("next"));

    while (!pool.isEmpty()) {
      try {
        pool.remove().run();
      } catch (IllegalStateException e) {
        ran.add(e.getMessage());
      }
    }

    assertThat(ran).containsExactly("on purpose", "next");
  }

  @Test
  void execute_closedPool_runsOnTheCallersThread() {
    PoolShare share =
        new PoolShare(
            task -> {
              throw new RejectedExecutionException();
            },
            2);

    share.execute(() -> ran.add("last"));
    share.execute(() -> ran.add("very last"));

    assertThat(ran).containsExactly("last", "very last");
  }

  @Test
  void execute_fromManyThreads_losesNoTask() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    int senders = 4;
    int each = 50_000;
    CountDownLatch left = new CountDownLatch(senders * each);
    try {
      PoolShare share = new PoolShare(threads, 3);
      for (int i = 0; i < senders; i++) {
        new Thread(
                () -> {
                  for (int k = 0; k < each; k++) {
                    share.execute(left::countDown);
                  }
                })
            .start();
      }

      assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      threads.shutdownNow();
    }
  }

  private void runPool() {
    for (Runnable task = pool.poll(); task != null; task = pool.poll()) {
      task.run();
    }
  }
}
