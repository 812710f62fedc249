package dev.tributary.internal.kernel.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.DeviceActivity;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** By clocks that stand still but when they are told. */
class BackgroundPaceTest {
  private static final long MILLI = 1_000_000;

  private final DeviceActivity activity = new DeviceActivity();
  private final Cancellation cancellation = new Cancellation();
  private final HandClocks clocks = new HandClocks();
  private final List<Long> rests = new ArrayList<>();

  @Test
  void run_alone_neverRests() {
    activity.stepBegins(); // The step of the work itself.
    BackgroundPace pace = pace();
    for (int i = 0; i < 5; i++) {
      clocks.work(MILLI);
      pace.run();
    }
    assertThat(rests).isEmpty();
  }

  @Test
  void run_besideSteps_restsTwentyFiveTimesAsLongAsItWorked() {
    BackgroundPace pace = pace();
    activity.stepBegins();
    clocks.work(MILLI / 4);
    pace.run();
    clocks.work(MILLI / 2);
    pace.run();
    assertThat(rests).containsExactly(MILLI * 25 / 4, MILLI * 25 / 2);
  }

  @Test
  void run_whenOthersHaveEnded_restsNoMore() {
    BackgroundPace pace = pace();
    activity.stepBegins();
    clocks.work(MILLI);
    pace.run();
    clocks.now += 200 * MILLI;
    clocks.work(MILLI);
    pace.run();
    assertThat(rests).hasSize(1);
  }

  @Test
  void run_afterMuchWork_restsNoLongerThanATenthOfASecond() {
    BackgroundPace pace = pace();
    activity.stepBegins();
    clocks.work(1000 * MILLI);
    pace.run();
    assertThat(rests).containsExactly(100 * MILLI);
  }

  @Test
  void run_ofACancelledStep_throwsItsReason() {
    BackgroundPace pace = pace();
    cancellation.cancel(TributaryException.cancelled("enough"));
    assertThatThrownBy(pace::run).hasMessageContaining("enough");
  }

  private BackgroundPace pace() {
    return new BackgroundPace(activity, cancellation, clocks, rests::add);
  }

  private static final class HandClocks implements BackgroundPace.Clocks {
    private long now;
    private long worked;

    void work(long nanos) {
      now += nanos;
      worked += nanos;
    }

    @Override
    public long now() {
      return now;
    }

    @Override
    public long worked() {
      return worked;
    }
  }
}
