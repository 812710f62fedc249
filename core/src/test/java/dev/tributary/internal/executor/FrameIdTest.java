package dev.tributary.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The numbers are TensorFlow's own. */
class FrameIdTest {
  private static final long SEED = 0xbc9f1d34L;

  @Test
  void hash_knownBytes_isTensorFlows() {
    assertThat(FrameId.hash(new byte[0], SEED)).isEqualTo(0x4c61ea3eeda4cb87L);
    assertThat(FrameId.hash(new byte[] {0x62}, SEED)).isEqualTo(0x091309f7ef916c8aL);
    assertThat(FrameId.hash(new byte[] {(byte) 0xc3, (byte) 0x97}, SEED))
        .isEqualTo(0xa815bcdf1d1af01cL);
  }

  @Test
  void hash_ofWholeWordsAndTail_dependsOnEveryByte() {
    byte[] bytes = "while/while_context".getBytes(StandardCharsets.UTF_8);
    long hash = FrameId.hash(bytes, SEED);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= 1;
      assertThat(FrameId.hash(bytes, SEED)).as("byte %d", i).isNotEqualTo(hash);
      bytes[i] ^= 1;
    }
  }

  @Test
  void frame_enteredFromTheRoot_hasTensorFlowsNumber() {
    long id = FrameId.of(FrameId.ROOT, 0, FrameId.hash("while/while_context"));

    assertThat(Long.toUnsignedString(id)).isEqualTo("18186195969791715286");
  }

  @Test
  void frame_inAnotherIterationOrFrame_hasAnotherNumber() {
    long name = FrameId.hash("inner");
    long outer = FrameId.of(FrameId.ROOT, 0, FrameId.hash("outer"));

    assertThat(FrameId.of(outer, 0, name))
        .isNotEqualTo(FrameId.of(outer, 1, name))
        .isNotEqualTo(FrameId.of(FrameId.ROOT, 0, name));
  }
}
