package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.spec.TaskName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class StepThreadsWatchTest {
  private static final long LIMIT = StepThreadsWatch.LIMIT.toNanos();
  private static final TaskName TASK = new TaskName("ps", 0);

  private final Queue<Runnable> pool = new ArrayDeque<>();
  private final List<Boolean> told = new ArrayList<>();
  private final StepThreadsWatch watch = new StepThreadsWatch(TASK, pool::add, told::add);

  @Test
  void look_poolThatRunsItsTasks_tellsNothing() {
    for (long now = 0; now < 10 * LIMIT; now += LIMIT) {
      watch.look(now);
      pool.remove().run();
    }

    assertThat(told).isEmpty();
  }

  @Test
  void look_poolWithoutAFreeThread_tellsOnceAndAgainWhenOneIsFree() {
    watch.look(0);
    watch.look(LIMIT);
    assertThat(told).isEmpty();

    watch.look(LIMIT + 1);
    watch.look(5 * LIMIT);
    assertThat(told).containsExactly(false);
    assertThat(pool).hasSize(1);

    pool.remove().run();
    assertThat(told).containsExactly(false, true);
  }

  @Test
  void look_poolThatRunsAtOnce_tellsNothing() {
    StepThreadsWatch inline = new StepThreadsWatch(TASK, Runnable::run, told::add);

    inline.look(0);
    inline.look(2 * LIMIT);

    assertThat(told).isEmpty();
  }

  @Test
  void look_closedPool_isLeftAlone() {
    StepThreadsWatch closed =
        new StepThreadsWatch(
            TASK,
            task -> {
              throw new RejectedExecutionException();
            },
            told::add);

    closed.look(0);

    assertThat(told).isEmpty();
  }
}
