package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BeatWatchTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final BeatWatch watch = new BeatWatch(Duration.ofSeconds(5));

  @Test
  void silent_noChangeLongerThanTheLimit_namesTheWorker() {
    assertThat(watch.silent(new long[] {1, 1}, 0)).isEmpty();
    assertThat(watch.silent(new long[] {2, 1}, 5 * SECOND)).isEmpty();
    assertThat(watch.silent(new long[] {3, 1}, 5 * SECOND + 1)).containsExactly(1);
  }

  @Test
  void silent_beatAfterSilence_forgivesIt() {
    watch.silent(new long[] {1}, 0);
    assertThat(watch.silent(new long[] {1}, 6 * SECOND)).containsExactly(0);
    assertThat(watch.silent(new long[] {2}, 7 * SECOND)).isEmpty();
    assertThat(watch.silent(new long[] {2}, 12 * SECOND)).isEmpty();
  }

  @Test
  void silent_beatsThatBeginAnew_areALifeSign() {
    watch.silent(new long[] {9}, 0);
    assertThat(watch.silent(new long[] {1}, 6 * SECOND)).isEmpty();
  }
}
