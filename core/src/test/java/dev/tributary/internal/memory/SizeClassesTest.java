package dev.tributary.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeClassesTest {
  @Test
  void indexOf_everySizeToOneMebibyte_isTheSmallestClassThatHoldsIt() {
    for (long bytes = 0; bytes <= 1 << 20; bytes++) {
      int index = SizeClasses.indexOf(bytes);
      boolean holds = SizeClasses.sizeOf(index) >= bytes;
      boolean smallest = index == 0 || SizeClasses.sizeOf(index - 1) < bytes;
      if (!holds || !smallest) {
        assertThat(index).as("class of %d bytes", bytes).isEqualTo(-1);
      }
    }
  }

  @Test
  void sizeOf_everyClass_wastesAtMostAFifth() {
    for (int index = 1; index < SizeClasses.COUNT; index++) {
      long smallestTenant = SizeClasses.sizeOf(index - 1) + 1;
      long waste = SizeClasses.sizeOf(index) - smallestTenant;
      assertThat(waste * 5).as("class %d", index).isLessThanOrEqualTo(SizeClasses.sizeOf(index));
    }
  }

  @Test
  void sizeOf_everyClass_mapsBackToItself() {
    for (int index = 0; index < SizeClasses.COUNT; index++) {
      assertThat(SizeClasses.indexOf(SizeClasses.sizeOf(index))).isEqualTo(index);
    }
  }

  @Test
  void largest_isInTheLastClass() {
    assertThat(SizeClasses.indexOf(SizeClasses.LARGEST)).isEqualTo(SizeClasses.COUNT - 1);
    assertThat(SizeClasses.LARGEST).isEqualTo(56L << 40);
  }
}
