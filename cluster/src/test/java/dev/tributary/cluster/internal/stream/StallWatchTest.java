package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.testing.FakeClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StallWatchTest {
  private final FakeClock clock = new FakeClock();
  private final AtomicLong position = new AtomicLong(StallWatch.IDLE);
  private final AtomicInteger stalls = new AtomicInteger();
  private final StallWatch watch = new StallWatch(clock, position::get, stalls::incrementAndGet);

  @Test
  void connection_idle_isLeftAlone() {
    looks(100);

    assertThat(stalls).hasValue(0);
  }

  @Test
  void message_thatGetsOn_isLeftAlone() {
    for (int i = 0; i < 100; i++) {
      position.incrementAndGet();
      looks(2);
    }
    assertThat(stalls).hasValue(0);
  }

  @Test
  void message_thatStandsStill_isReportedOnce() {
    position.set(7);
    looks(2);
    assertThat(stalls).hasValue(0);

    looks(10);

    assertThat(stalls).hasValue(1);
    assertThat(clock.pending()).isZero();
  }

  @Test
  void close_beforeAStall_endsTheLooks() {
    position.set(7);
    watch.close();

    looks(10);

    assertThat(stalls).hasValue(0);
    assertThat(clock.pending()).isZero();
  }

  private void looks(int count) {
    clock.advance(StallWatch.LOOK.multipliedBy(count));
  }
}
