package dev.tributary.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CallScopeTest {
  private static final Optional<Duration> SECOND = Optional.of(Duration.ofSeconds(1));
  private static final RuntimeException REASON = new IllegalStateException("no more");

  private final FakeClock clock = new FakeClock();
  private final Cancellation caller = new Cancellation();
  private final Cancellation server = new Cancellation();
  private final List<RuntimeException> ends = new ArrayList<>();

  @Test
  void follow_oneIsCancelled_endsWithItsReasonOnce() {
    scope().follow(caller, server).within(SECOND, () -> "the call");

    server.cancel(REASON);
    caller.cancel(new IllegalStateException("later"));
    clock.advance(SECOND.get());

    assertThat(ends).containsExactly(REASON);
  }

  @Test
  void follow_cancelledBefore_endsAtOnce() {
    caller.cancel(REASON);

    scope().follow(caller);

    assertThat(ends).containsExactly(REASON);
  }

  @Test
  void within_timeIsOver_endsAsLateAndNamesTheCall() {
    scope().follow(caller).within(SECOND, () -> "RunGraph of step 7");
    clock.advance(Duration.ofMillis(999));
    assertThat(ends).isEmpty();

    clock.advance(Duration.ofMillis(1));

    assertThat(ends).hasSize(1);
    assertThat(ends.get(0))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
        .hasMessage("RunGraph of step 7 did not end within 1000 ms");
  }

  @Test
  void close_followedAndLimited_isForgottenByAll() {
    CallScope scope = scope().follow(caller, server).within(SECOND, () -> "the call");

    scope.close();
    caller.cancel(REASON);
    server.cancel(REASON);

    assertThat(clock.pending()).isZero();
    assertThat(ends).isEmpty();
  }

  @Test
  void close_beforeItFollowsAndIsLimited_letsNothingIn() {
    CallScope scope = scope();

    scope.close();
    scope.follow(caller).within(SECOND, () -> "the call");
    caller.cancel(REASON);

    assertThat(clock.pending()).isZero();
    assertThat(ends).isEmpty();
  }

  @Test
  void follow_twice_endsWithEither() {
    scope().follow(caller).follow(server);

    caller.cancel(REASON);

    assertThat(ends).containsExactly(REASON);
  }

  @Test
  void endEarly_cancellation_hasTheReason() {
    CallScope scope = scope().follow(caller);

    caller.cancel(REASON);

    assertThat(scope.cancellation().reason()).contains(REASON);
  }

  @Test
  void cancellation_cancelledDirectly_leavesNothingToEnd() {
    CallScope scope = scope().follow(caller);

    scope.cancellation().cancel(REASON);
    caller.cancel(new IllegalStateException("later"));

    assertThat(ends).isEmpty();
    assertThat(scope.cancellation().reason()).contains(REASON);
  }

  @Test
  void within_twoLimits_endsWithTheShorter() {
    CallScope scope = scope().within(SECOND, () -> "the call");
    scope.within(Optional.of(Duration.ofMillis(10)), () -> "the step");

    clock.advance(SECOND.get());

    assertThat(ends).hasSize(1);
    assertThat(ends.get(0)).hasMessage("the step did not end within 10 ms");
    scope.close();
    assertThat(clock.pending()).isZero();
  }

  @Test
  void awaiting_callEndsEarly_failsWithItsReason() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> awaited = scope().follow(caller).awaiting(work);

    caller.cancel(REASON);

    assertThat(awaited).isCompletedExceptionally();
    assertThat(work).isNotDone();
  }

  private CallScope scope() {
    return new CallScope(clock, ends::add);
  }
}
