package dev.tributary.internal.kernel.random;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PhiloxTest {
  @Test
  void block_knownKeysAndCounters_equalsThePublishedAnswers() {
    assertThat(block(0, 0, 0)).containsExactly(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
    assertThat(block(-1, -1, -1)).containsExactly(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
    assertThat(block(0x299f31d0a4093822L, 0x85a308d3243f6a88L, 0x0370734413198a2eL))
        .containsExactly(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
  }

  @Test
  void skip_overAnyNumberOfBlocks_equalsMakingThem() {
    for (int skipped : new int[] {0, 1, 2, 7, 100}) {
      Philox made = Philox.ofSeeds(3, 4);
      made.fill(new int[400], skipped);
      Philox jumped = Philox.ofSeeds(3, 4);
      jumped.skip(skipped);
      assertThat(next(jumped)).isEqualTo(next(made));
    }
  }

  @Test
  void counter_pastItsLowHalf_carries() {
    Philox made = new Philox(9, -2, 5);
    made.fill(new int[12], 3);
    Philox jumped = new Philox(9, -2, 5);
    jumped.skip(3);
    int[] expected = block(9, 1, 6);
    assertThat(next(made)).isEqualTo(expected);
    assertThat(next(jumped)).isEqualTo(expected);
  }

  @Test
  void copy_afterwards_movesAlone() {
    Philox original = Philox.ofStatelessSeed(1, 2);
    Philox copy = original.copy();
    int[] first = next(original);
    assertThat(next(copy)).isEqualTo(first);
    assertThat(next(copy)).isEqualTo(next(original)).isNotEqualTo(first);
  }

  @Test
  void statelessSeed_eachHalf_changesTheStream() {
    int[] stream = next(Philox.ofStatelessSeed(1, 2));
    assertThat(next(Philox.ofStatelessSeed(2, 1))).isNotEqualTo(stream);
    assertThat(next(Philox.ofStatelessSeed(1, 2 + (1L << 32)))).isNotEqualTo(stream);
  }

  @Test
  void keyAndCounter_ofAStatelessSeed_equalStock() {
    Philox stream = Philox.ofStatelessSeed(87654321, -5);
    assertThat(stream.key()).isEqualTo(-3729821159979764829L);
    assertThat(stream.counterLow()).isZero();
    assertThat(stream.counterHigh()).isEqualTo(-688770098492466828L);
  }

  private static int[] block(long key, long low, long high) {
    return next(new Philox(key, low, high));
  }

  private static int[] next(Philox stream) {
    int[] words = new int[Philox.WORDS_PER_BLOCK];
    stream.fill(words, 1);
    return words;
  }
}
