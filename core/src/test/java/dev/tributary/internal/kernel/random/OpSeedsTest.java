package dev.tributary.internal.kernel.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OpSeedsTest {
  private static final OptionalLong NONE = OptionalLong.empty();

  @Test
  void seeds_noneGiven_areUnspecified() {
    assertThat(of(NONE, NONE, 12)).isEqualTo(new OpSeeds(0, 0));
  }

  @Test
  void seeds_onlyOfTheOp_takeTheDefaultOfTheGraph() {
    assertThat(of(NONE, seed(42), 12)).isEqualTo(new OpSeeds(87654321, 42));
    assertThat(of(NONE, seed(0), 12)).isEqualTo(new OpSeeds(87654321, 0));
  }

  @Test
  void seeds_onlyOfTheGraph_takeAFreshOneForTheOp() {
    assertThat(of(seed(7), NONE, 12)).isEqualTo(new OpSeeds(7, 12));
  }

  @Test
  void seeds_bothGiven_areTakenModuloTheLargestInt() {
    assertThat(of(seed(7), seed(42), 12)).isEqualTo(new OpSeeds(7, 42));
    assertThat(of(seed(1L << 31), seed(-1), 12)).isEqualTo(new OpSeeds(1, Integer.MAX_VALUE - 1));
  }

  @Test
  void seeds_bothZero_doNotBecomeUnspecified() {
    assertThat(of(seed(0), seed(0), 12)).isEqualTo(new OpSeeds(0, Integer.MAX_VALUE));
    assertThat(of(seed(0), NONE, 0)).isEqualTo(new OpSeeds(0, Integer.MAX_VALUE));
    assertThat(of(seed(Integer.MAX_VALUE), seed(0), 12))
        .isEqualTo(new OpSeeds(0, Integer.MAX_VALUE));
  }

  private static OptionalLong seed(long value) {
    return OptionalLong.of(value);
  }

  private static OpSeeds of(OptionalLong graph, OptionalLong op, long fresh) {
    return OpSeeds.of(graph, op, () -> fresh);
  }
}
