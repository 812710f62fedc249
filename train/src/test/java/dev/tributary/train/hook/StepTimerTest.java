package dev.tributary.train.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StepTimerTest {
  @Test
  void timer_bySteps_triggersAtFirstAndThenApart() {
    StepTimer timer = new StepTimer(Interval.ofSteps(3));

    assertThat(timer.shouldTrigger(7)).isTrue();
    assertThat(timer.triggered(7)).isEmpty();
    assertThat(timer.shouldTrigger(7)).isFalse();
    assertThat(timer.shouldTrigger(9)).isFalse();
    assertThat(timer.shouldTrigger(10)).isTrue();
    assertThat(timer.wasTriggeredAt(7)).isTrue();
    assertThat(timer.wasTriggeredAt(10)).isFalse();
  }

  @Test
  void timer_byTime_triggersWhenItHasPassed() {
    long[] now = {0};
    StepTimer timer = new StepTimer(Interval.of(Duration.ofNanos(100)), () -> now[0]);
    timer.triggered(1);

    now[0] = 99;
    assertThat(timer.shouldTrigger(2)).isFalse();
    now[0] = 100;
    assertThat(timer.shouldTrigger(2)).isTrue();
    assertThat(timer.shouldTrigger(1)).isFalse();
  }

  @Test
  void triggered_again_tellsTimeAndStepsBetween() {
    long[] now = {0};
    StepTimer timer = new StepTimer(Interval.ofSteps(1), () -> now[0]);
    timer.triggered(10);
    now[0] = 500_000_000;

    StepTimer.Elapsed elapsed = timer.triggered(15).orElseThrow();

    assertThat(elapsed).isEqualTo(new StepTimer.Elapsed(Duration.ofMillis(500), 5));
    assertThat(elapsed.stepsPerSecond()).isEqualTo(10);
  }

  @Test
  void interval_thatMakesNoSense_isRefused() {
    assertThatThrownBy(() -> Interval.ofSteps(0)).isInstanceOf(TributaryException.class);
    assertThatThrownBy(() -> Interval.of(Duration.ZERO)).isInstanceOf(TributaryException.class);
    assertThatThrownBy(
            () -> new Interval(Optional.of(Duration.ofSeconds(1)), OptionalLong.of(1), false))
        .isInstanceOf(TributaryException.class);
    assertThatThrownBy(() -> new Interval(Optional.empty(), OptionalLong.empty(), false))
        .isInstanceOf(TributaryException.class);
  }
}
