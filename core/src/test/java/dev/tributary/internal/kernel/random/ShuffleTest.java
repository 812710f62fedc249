package dev.tributary.internal.kernel.random;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShuffleTest {
  @Test
  void permutation_successiveRuns_equalStock() {
    GuardedPhilox state = GuardedPhilox.ofSeeds(87654321, 42, () -> 0);
    assertThat(Shuffle.permutation(state, 10)).containsExactly(2, 0, 7, 8, 9, 3, 6, 4, 1, 5);
    assertThat(Shuffle.permutation(state, 10)).containsExactly(9, 6, 7, 5, 3, 2, 1, 8, 4, 0);
    assertThat(Shuffle.permutation(state, 10)).containsExactly(2, 4, 9, 0, 1, 3, 8, 7, 6, 5);
  }

  @Test
  void permutation_ofTwo_equalsStock() {
    GuardedPhilox state = GuardedPhilox.ofSeeds(87654321, 42, () -> 0);
    assertThat(Shuffle.permutation(state, 2)).containsExactly(0, 1);
    assertThat(Shuffle.permutation(state, 2)).containsExactly(1, 0);
    assertThat(Shuffle.permutation(state, 2)).containsExactly(1, 0);
  }

  @Test
  void permutation_ofAtMostOne_leavesTheState() {
    GuardedPhilox state = GuardedPhilox.ofSeeds(87654321, 42, () -> 0);
    assertThat(Shuffle.permutation(state, 0)).isEmpty();
    assertThat(Shuffle.permutation(state, 1)).containsExactly(0);
    assertThat(Shuffle.permutation(state, 10)).startsWith(2, 0, 7, 8);
  }
}
