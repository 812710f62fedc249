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

class CallOptionsTest {
  private static final Optional<Duration> SECOND = Optional.of(Duration.ofSeconds(1));
  private static final RuntimeException REASON = new IllegalStateException("no more");

  private final FakeClock clock = new FakeClock();
  private final Cancellation caller = new Cancellation();
  private final List<RuntimeException> ends = new ArrayList<>();

  @Test
  void watch_callerCancels_endsAsDerivedAndNamesTheCall() {
    CallOptions options = CallOptions.cancelledBy(caller).within(SECOND.get());
    options.watch(clock, () -> "RunGraph", new CompletableFuture<>(), ends::add);

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
    options.watch(clock, () -> "RunGraph", answer, ends::add);

    answer.complete("done");
    caller.cancel(REASON);

    assertThat(clock.pending()).isZero();
    assertThat(ends).isEmpty();
  }
}
