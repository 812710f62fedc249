package dev.tributary.train.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CoordinatorTest {
  private static final Duration NO_TIME = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofSeconds(50);

  private final Coordinator coordinator = new Coordinator();

  @Test
  void join_threadFailed_throwsItsFailure() {
    coordinator.loop(
        "fails",
        Duration.ZERO,
        () -> {
          throw TributaryException.invalidArgument("broken");
        });

    assertThatThrownBy(coordinator::join).hasMessage("broken");
    assertThat(coordinator.shouldStop()).isTrue();
  }

  @Test
  void join_severalFailures_throwsTheFirst() {
    coordinator.requestStop(TributaryException.invalidArgument("first"));
    coordinator.requestStop(TributaryException.invalidArgument("second"));

    assertThatThrownBy(coordinator::join).hasMessage("first");
  }

  @Test
  void join_endOfInput_isNoFailure() {
    coordinator.requestStop(TributaryException.outOfRange("the end"));
    coordinator.requestStop(TributaryException.invalidArgument("because of the end"));

    assertThatCode(coordinator::join).doesNotThrowAnyException();
  }

  @Test
  void join_endOfInputThatCounts_isAFailure() {
    Coordinator strict = new Coordinator(Set.of());
    strict.requestStop(TributaryException.outOfRange("the end"));

    assertThatThrownBy(strict::join).hasMessage("the end");
  }

  @Test
  void join_threadThatDoesNotStop_isNamed() {
    CountDownLatch end = new CountDownLatch(1);
    Thread stubborn = new Thread(() -> await(end), "stubborn");
    stubborn.start();
    coordinator.requestStop();

    assertThatThrownBy(() -> coordinator.join(List.of(stubborn), NO_TIME))
        .hasMessageContaining("stubborn")
        .satisfies(
            e ->
                assertThat(((TributaryException) e).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
    assertThat(coordinator.joinIgnoringLiveThreads(List.of(stubborn), NO_TIME))
        .containsExactly(stubborn);
    end.countDown();
    coordinator.join(List.of(stubborn), LONG);
  }

  @Test
  void join_threadsThatEndByThemselves_needsNoStop() {
    Thread thread = new Thread(() -> {}, "short");
    thread.start();
    coordinator.join(List.of(thread), LONG);

    assertThat(coordinator.shouldStop()).isFalse();
  }

  @Test
  void requestStop_afterJoin_throwsTheFailureAtOnce() {
    coordinator.requestStop();
    coordinator.join();
    TributaryException late = TributaryException.invalidArgument("late");

    assertThatThrownBy(() -> coordinator.requestStop(late)).isSameAs(late);
    coordinator.clearStop();
    coordinator.requestStop(late);
    assertThatThrownBy(coordinator::join).isSameAs(late);
  }

  @Test
  void waitForStop_nobodyAsks_endsInTime() {
    assertThat(coordinator.waitForStop(NO_TIME)).isFalse();
  }

  @Test
  void looper_untilStop_repeats() {
    AtomicInteger rounds = new AtomicInteger();
    coordinator.loop(
        "counts",
        Duration.ofMillis(1),
        () -> {
          if (rounds.incrementAndGet() == 5) {
            coordinator.requestStop();
          }
        });
    coordinator.join();

    assertThat(rounds).hasValue(5);
  }

  @Test
  void looper_longInterval_stopsWithoutWaitingForIt() {
    CountDownLatch ran = new CountDownLatch(1);
    coordinator.loop("once", Duration.ofDays(1), ran::countDown);
    await(ran);
    coordinator.requestStop();

    assertThatCode(coordinator::join).doesNotThrowAnyException();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void onStop_actions_runInOrderWhenTheFirstStopIsRequested() {
    Coordinator coordinator = new Coordinator();
    List<String> done = new ArrayList<>();
    coordinator.onStop(() -> done.add("first, failed " + coordinator.failure().isPresent()));
    coordinator.onStop(() -> done.add("second"));

    assertThat(done).isEmpty();
    coordinator.requestStop(TributaryException.invalidArgument("no"));
    coordinator.requestStop();

    assertThat(done).containsExactly("first, failed true", "second");
  }

  @Test
  void onStop_afterTheRequest_runsAtOnce() {
    Coordinator coordinator = new Coordinator();
    coordinator.requestStop();
    List<String> done = new ArrayList<>();

    coordinator.onStop(() -> done.add("late"));

    assertThat(done).containsExactly("late");
  }
}
