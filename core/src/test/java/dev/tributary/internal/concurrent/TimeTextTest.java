package dev.tributary.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeTextTest {
  @Test
  void of_anyDuration_isAWholeNumberOfTheLargestUnit() {
    assertThat(TimeText.of(Duration.ZERO)).isEqualTo("0 s");
    assertThat(TimeText.of(Duration.ofSeconds(-5))).isEqualTo("-5 s");
    assertThat(TimeText.of(Duration.ofMinutes(5))).isEqualTo("300 s");
    assertThat(TimeText.of(Duration.ofMillis(1500))).isEqualTo("1500 ms");
    assertThat(TimeText.of(Duration.ofNanos(20_000))).isEqualTo("20000 ns");
  }
}
