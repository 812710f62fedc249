package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.train.testing.CapturedLog;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MembershipViewTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Liveness LIVENESS = new Liveness(Duration.ofSeconds(1), LIMIT);
  private static final long[] BOTH = {0, 0};

  private long nanos;
  private final MembershipView view = new MembershipView(0, Optional.of(LIVENESS), () -> nanos);

  @Test
  void update_noHeartbeatForLongerThanTheLimit_excludesTheWorker() {
    assertThat(view.update(new long[] {1, 1}, BOTH)).containsExactly(0, 1);
    nanos = LIMIT.toNanos();
    assertThat(view.update(new long[] {2, 1}, BOTH)).containsExactly(0, 1);
    nanos++;
    assertThat(view.update(new long[] {3, 1}, BOTH)).containsExactly(0);
  }

  @Test
  void update_heartbeatAfterSilence_includesTheWorkerAgain() {
    view.update(new long[] {1, 1}, BOTH);
    nanos = 6 * LIMIT.toNanos() / 5;
    assertThat(view.update(new long[] {2, 1}, BOTH)).containsExactly(0);
    nanos += 1;
    assertThat(view.update(new long[] {3, 2}, BOTH)).containsExactly(0, 1);
    nanos += LIMIT.toNanos();
    assertThat(view.update(new long[] {4, 2}, BOTH)).containsExactly(0, 1);
  }

  @Test
  void update_countThatStartsAgain_isAHeartbeat() {
    view.update(new long[] {1, 9}, BOTH);
    nanos = 2 * LIMIT.toNanos();
    assertThat(view.update(new long[] {2, 1}, BOTH)).containsExactly(0, 1);
  }

  @Test
  void update_ownHeartbeatMissing_keepsThisWorker() {
    view.update(new long[] {1, 1}, BOTH);
    nanos = 2 * LIMIT.toNanos();
    assertThat(view.update(new long[] {1, 2}, BOTH)).containsExactly(0, 1);
  }

  @Test
  void update_absentClock_excludesTheWorker() {
    assertThat(view.update(new long[] {1, 1}, new long[] {3, Membership.ABSENT}))
        .containsExactly(0);
  }

  @Test
  void update_withoutLiveness_excludesOnlyWorkersThatHaveLeft() {
    MembershipView patient = new MembershipView(0, Optional.empty(), () -> nanos);
    patient.update(new long[] {1, 1, 1}, new long[] {0, 0, 0});
    nanos = Duration.ofHours(1).toNanos();
    assertThat(patient.update(new long[] {1, 1, 1}, new long[] {0, 0, Membership.ABSENT}))
        .containsExactly(0, 1);
  }

  @Test
  void update_silentWorker_isLoggedOnce() {
    try (CapturedLog log = CapturedLog.start()) {
      view.update(new long[] {1, 1}, BOTH);
      nanos = 2 * LIMIT.toNanos();
      view.update(new long[] {2, 1}, BOTH);
      view.update(new long[] {3, 1}, BOTH);
      view.update(new long[] {4, 2}, BOTH);

      assertThat(log.lines("WARN"))
          .singleElement()
          .asString()
          .contains("worker 1 has not been heard from for 5 s");
    }
  }
}
