package dev.tributary.cluster.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.testing.FakeClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LeaseRenewalTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final FakeClock clock = new FakeClock();
  private CompletableFuture<Duration> answer = CompletableFuture.completedFuture(LEASE);
  private int calls;

  @Test
  void lease_held_isRenewedThreeTimesInItsLength() {
    try (SessionLease lease = SessionLease.hold(this::keepSession, clock)) {
      assertThat(calls).isEqualTo(1);

      clock.advance(LEASE);

      assertThat(calls).isEqualTo(4);
    }
    clock.advance(LEASE);
    assertThat(calls).isEqualTo(4);
    assertThat(clock.pending()).isZero();
  }

  @Test
  void lease_ofAMasterThatIsAway_isAskedForAgain() {
    answer = failed(ErrorCode.UNAVAILABLE);
    try (SessionLease lease = SessionLease.hold(this::keepSession, clock)) {
      clock.advance(Duration.ofSeconds(5));

      assertThat(calls).isEqualTo(2);
    }
  }

  @Test
  void lease_ofAMasterThatGivesNone_isAskedForOnce() {
    answer = failed(ErrorCode.UNIMPLEMENTED);
    try (SessionLease lease = SessionLease.hold(this::keepSession, clock)) {
      assertThat(clock.pending()).isZero();
      assertThat(calls).isEqualTo(1);
    }
  }

  private CompletableFuture<Duration> keepSession(CallOptions options) {
    calls++;
    return answer;
  }

  private static CompletableFuture<Duration> failed(ErrorCode code) {
    return CompletableFuture.failedFuture(new TributaryException(code, "a test"));
  }
}
