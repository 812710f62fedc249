package dev.tributary.cluster.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
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
  void watch_callerCancels_endsAsDerivedAndNamesTheCall() {
    CallOptions options = CallOptions.cancelledBy(caller).within(SECOND.get());
    CallScope.watch(clock, () -> "RunGraph", options, new CompletableFuture<>(), ends::add);

    caller.cancel(REASON);

    assertThat(ends).hasSize(1);
    assertThat(ends.get(0))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED);
              assertThat(e.derived()).isTrue();
            })
        .hasMessage("RunGraph was cancelled: no more");
  }

  @Test
  void watch_answeredCall_endsNothing() {
    CallOptions options = CallOptions.cancelledBy(caller).within(SECOND.get());
    CompletableFuture<String> answer = new CompletableFuture<>();
    CallScope.watch(clock, () -> "RunGraph", options, answer, ends::add);

    answer.complete("done");
    caller.cancel(REASON);

    assertThat(clock.pending()).isZero();
    assertThat(ends).isEmpty();
  }

  private CallScope scope() {
    return new CallScope(clock, ends::add);
  }
}
