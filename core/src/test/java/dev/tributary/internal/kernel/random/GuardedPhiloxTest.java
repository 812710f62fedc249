package dev.tributary.internal.kernel.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GuardedPhiloxTest {
  @Test
  void reservation_ofOutputs_takes256BlocksEach() {
    GuardedPhilox state = GuardedPhilox.ofSeeds(1, 2, () -> 0);
    assertThat(next(state.reserveOutputs(3))).isEqualTo(blockAt(0));
    assertThat(next(state.reserveOutputs(0))).isEqualTo(blockAt(768));
    assertThat(next(state.reserveOutputs(1))).isEqualTo(blockAt(768));
    assertThat(next(state.reserveOutputs(1))).isEqualTo(blockAt(1024));
  }

  @Test
  void reservation_ofWords_takesWholeBlocks() {
    GuardedPhilox state = GuardedPhilox.ofSeeds(1, 2, () -> 0);
    state.reserveWords(1);
    state.reserveWords(4);
    state.reserveWords(5);
    assertThat(next(state.reserveWords(1))).isEqualTo(blockAt(4));
  }

  @Test
  void seeds_bothZero_areDrawnFromEntropy() {
    AtomicLong entropy = new AtomicLong(10);
    GuardedPhilox state = GuardedPhilox.ofSeeds(0, 0, entropy::getAndIncrement);
    assertThat(next(state.reserveBlocks(1))).isEqualTo(next(Philox.ofSeeds(10, 11)));
    assertThat(next(GuardedPhilox.ofSeeds(0, 1, entropy::get).reserveBlocks(1)))
        .isEqualTo(next(Philox.ofSeeds(0, 1)));
  }

  private static int[] blockAt(long index) {
    Philox stream = Philox.ofSeeds(1, 2);
    stream.skip(index);
    return next(stream);
  }

  private static int[] next(Philox stream) {
    int[] words = new int[Philox.WORDS_PER_BLOCK];
    stream.fill(words, 1);
    return words;
  }
}
