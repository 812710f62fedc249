package dev.tributary.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.TributaryException;
import dev.tributary.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every timer can do, and that the one of the tests keeps its own promises. */
class TimerTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FakeClock clock = new FakeClock();
  private final List<String> runs = new ArrayList<>();

  @Test
  void after_noDelay_runsWithTheNextAdvanceOnly() {
    clock.after(Duration.ZERO, () -> runs.add("task"));

    assertThat(runs).isEmpty();
    clock.advance(Duration.ZERO);
    assertThat(runs).containsExactly("task");
  }

  @Test
  void advance_severalTasks_runInOrderEachAtItsTime() {
    long start = clock.nanos();
    clock.after(SECOND.multipliedBy(2), () -> runs.add("b at " + clock.since(start)));
    clock.after(SECOND, () -> runs.add("a at " + clock.since(start)));
    clock.after(SECOND.multipliedBy(9), () -> runs.add("never"));

    clock.advance(SECOND.multipliedBy(3));

    assertThat(runs).containsExactly("a at PT1S", "b at PT2S");
    assertThat(clock.since(start)).isEqualTo(SECOND.multipliedBy(3));
    assertThat(clock.pending()).isEqualTo(1);
  }

  @Test
  void every_taskThatEnds_isNotRepeated() {
    clock.every(SECOND, () -> runs.add("beat") && runs.size() < 3);

    clock.advance(SECOND.multipliedBy(10));

    assertThat(runs).hasSize(3);
    assertThat(clock.pending()).isZero();
  }

  @Test
  void completeAfter_futureThatIsLate_hasTheValue() {
    CompletableFuture<String> late = new CompletableFuture<>();
    CompletableFuture<String> early = new CompletableFuture<>();
    clock.completeAfter(SECOND, late, "nothing");
    clock.completeAfter(SECOND, early, "nothing");

    early.complete("something");
    clock.advance(SECOND);

    assertThat(late).isCompletedWithValue("nothing");
    assertThat(early).isCompletedWithValue("something");
  }

  @Test
  void limit_futureThatIsDoneInTime_leavesNoAlarm() {
    CompletableFuture<String> future = new CompletableFuture<>();
    clock.limit(future, SECOND, () -> TributaryException.internal("late"));

    future.complete("done");

    assertThat(clock.pending()).isZero();
  }

  @Test
  void limit_futureThatIsLate_fails() {
    CompletableFuture<String> future = new CompletableFuture<>();
    clock.limit(future, SECOND, () -> TributaryException.internal("late"));

    clock.advance(SECOND);

    assertThat(future).isCompletedExceptionally();
  }

  @Test
  void deadline_passingTime_countsDownToNothing() {
    Deadline deadline = Deadline.in(SECOND, clock);
    clock.advance(Duration.ofMillis(400));
    assertThat(deadline.left()).isEqualTo(Duration.ofMillis(600));
    assertThat(deadline.isOver()).isFalse();

    clock.advance(SECOND);

    assertThat(deadline.left()).isZero();
    assertThat(deadline.isOver()).isTrue();
  }
}
