package dev.tributary.train.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.testing.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private static final Duration PAUSE = Duration.ofSeconds(30);

  private final FakeClock clock = new FakeClock();

  @Test
  void waitOnceMore_beforeTheLimit_pausesAndThenGivesUp() {
    long start = clock.nanos();
    Patience patience = new Patience(PAUSE, Duration.ofSeconds(100), clock);

    for (int i = 1; i <= 3; i++) {
      patience.waitOnceMore("no variables");
      assertThat(clock.since(start)).isEqualTo(PAUSE.multipliedBy(i));
    }

    // 10 s are left, less than a pause.
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> patience.waitOnceMore("no variables"))
        .matches(e -> e.code() == ErrorCode.DEADLINE_EXCEEDED)
        .withMessageContaining("after waiting 100 s: no variables");
    assertThat(clock.since(start)).isEqualTo(PAUSE.multipliedBy(3));
  }
}
