package dev.tributary.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HalfFloatsTest {
  @Test
  void halfToFloat_everyPattern_hasTheValueOfTheFormat() {
    for (int bits = 0; bits < 0x10000; bits++) {
      int exponent = bits >> 10 & 0x1f;
      int fraction = bits & 0x3ff;
      double sign = bits < 0x8000 ? 1 : -1;
      float got = HalfFloats.halfToFloat((short) bits);
      if (exponent == 31) {
        assertThat(Float.isNaN(got)).isEqualTo(fraction != 0);
        assertThat(Float.isInfinite(got)).isEqualTo(fraction == 0);
      } else {
        double magnitude =
            exponent == 0 ? Math.scalb(fraction, -24) : Math.scalb(1024 + fraction, exponent - 25);
        assertThat(Float.floatToRawIntBits(got))
            .isEqualTo(Float.floatToRawIntBits((float) (sign * magnitude)));
      }
    }
  }

  @Test
  void roundTrip_everyPattern_isTheSame() {
    for (int bits = 0; bits < 0x10000; bits++) {
      short pattern = (short) bits;
      float half = HalfFloats.halfToFloat(pattern);
      float bfloat = HalfFloats.bfloat16ToFloat(pattern);
      if (Float.isNaN(half)) {
        assertThat(HalfFloats.halfToFloat(HalfFloats.floatToHalf(half))).isNaN();
      } else {
        assertThat(HalfFloats.floatToHalf(half)).isEqualTo(pattern);
      }
      if (Float.isNaN(bfloat)) {
        assertThat(HalfFloats.bfloat16ToFloat(HalfFloats.floatToBfloat16(bfloat))).isNaN();
      } else {
        assertThat(HalfFloats.floatToBfloat16(bfloat)).isEqualTo(pattern);
      }
    }
  }

  @Test
  void floatToHalf_betweenNeighbours_roundsToNearestAndTiesToEven() {
    for (int bits = 0; bits < 0x7bff; bits++) {
      float middle =
          (HalfFloats.halfToFloat((short) bits) + HalfFloats.halfToFloat((short) (bits + 1))) / 2;
      int even = bits + (bits & 1);
      assertThat(HalfFloats.floatToHalf(middle)).isEqualTo((short) even);
      assertThat(HalfFloats.floatToHalf(Math.nextDown(middle))).isEqualTo((short) bits);
      assertThat(HalfFloats.floatToHalf(Math.nextUp(middle))).isEqualTo((short) (bits + 1));
      assertThat(HalfFloats.floatToHalf(-middle)).isEqualTo((short) (even | 0x8000));
    }
  }

  @Test
  void floatToBfloat16_betweenNeighbours_roundsToNearestAndTiesToEven() {
    for (int bits = 0; bits < 0x7f7f; bits++) {
      float middle = Float.intBitsToFloat(bits << 16 | 0x8000);
      int even = bits + (bits & 1);
      assertThat(HalfFloats.floatToBfloat16(middle)).isEqualTo((short) even);
      assertThat(HalfFloats.floatToBfloat16(Math.nextDown(middle))).isEqualTo((short) bits);
      assertThat(HalfFloats.floatToBfloat16(Math.nextUp(middle))).isEqualTo((short) (bits + 1));
      assertThat(HalfFloats.floatToBfloat16(-middle)).isEqualTo((short) (even | 0x8000));
    }
  }

  @Test
  void narrowing_tooLarge_isInfinite() {
    assertThat(HalfFloats.floatToHalf(65519.99f)).isEqualTo((short) 0x7bff);
    assertThat(HalfFloats.floatToHalf(65520f)).isEqualTo((short) 0x7c00);
    assertThat(HalfFloats.floatToHalf(Float.NEGATIVE_INFINITY)).isEqualTo((short) 0xfc00);
    assertThat(HalfFloats.floatToBfloat16(Float.MAX_VALUE)).isEqualTo((short) 0x7f80);
    assertThat(HalfFloats.floatToHalf(Float.intBitsToFloat(0x7f80_0001))).isEqualTo((short) 0x7e00);
    assertThat(HalfFloats.floatToBfloat16(Float.intBitsToFloat(0xff80_0001)))
        .isEqualTo((short) 0xffc0);
  }
}
