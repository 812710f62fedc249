package dev.tributary.cluster.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.Memory;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LargeCopyTest {
  private static final int MARGIN = 64;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1 << 20, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, (9 << 20) + 13})
  void copy_ofAnySize_isWholeAndChangesNothingElse(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    ByteBuffer from = ByteBuffer.allocateDirect(Math.max(1, bytes)).put(content);

    // Several at once: helpers of one must never touch what is another's.
    IntStream.range(0, 6)
        .parallel()
        .forEach(
            i -> {
              ByteBuffer to = ByteBuffer.allocateDirect(bytes + 2 * MARGIN);
              LargeCopy.copy(Memory.address(from), Memory.address(to) + MARGIN, bytes);

              byte[] wanted = new byte[bytes + 2 * MARGIN];
              System.arraycopy(content, 0, wanted, MARGIN, bytes);
              byte[] got = new byte[wanted.length];
              to.get(got);
              assertThat(got).isEqualTo(wanted);
            });
  }
}
