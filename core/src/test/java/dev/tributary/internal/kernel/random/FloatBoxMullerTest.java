package dev.tributary.internal.kernel.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntUnaryOperator;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/**
 * All radii and all angles there are; the checksums are of {@code logf} and {@code sincosf} of the
 * GNU C library.
 */
class FloatBoxMullerTest {
  private static final int VALUES = 1 << 23;
  private static final int PAIRS_AT_ONCE = 1024;

  @Test
  void pairs_ofEveryAngle_equalTheLibrary() {
    assertThat(checksum(i -> 0x100000, i -> i)).isEqualTo(0x373b5890L);
  }

  @Test
  void pairs_ofEveryRadius_equalTheLibrary() {
    assertThat(checksum(i -> i, i -> 0x100000)).isEqualTo(0xe828f3c0L);
  }

  @Test
  void pairs_ofUnusedBits_areTheSame() {
    int[] plain = {0x123456, 0x654321, 0, 0};
    int[] more = {0xff923456, 0xabe54321, 0, 0};
    FloatBoxMuller.transform(plain, 4);
    FloatBoxMuller.transform(more, 4);
    assertThat(more).isEqualTo(plain);
  }

  private static long checksum(IntUnaryOperator radius, IntUnaryOperator angle) {
    CRC32 checksum = new CRC32();
    int[] words = new int[2 * PAIRS_AT_ONCE];
    ByteBuffer bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int start = 0; start < VALUES; start += PAIRS_AT_ONCE) {
      for (int i = 0; i < PAIRS_AT_ONCE; i++) {
        words[2 * i] = radius.applyAsInt(start + i);
        words[2 * i + 1] = angle.applyAsInt(start + i);
      }
      FloatBoxMuller.transform(words, words.length);
      bytes.asIntBuffer().put(words);
      checksum.update(bytes.array());
    }
    return checksum.getValue();
  }
}
