package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The bytes that stock TensorFlow writes and reads. */
@NoLeaks
class RecvTensorMessagesTest {
  private static final Codec<ReceivedTensor> CODEC =
      RecvTensorMessages.response(
          Clock.fixed(Instant.EPOCH.plusMillis(1), ZoneOffset.UTC)); // 1000 microseconds

  @Test
  void encode_scalar_isWhatStockWrites() {
    try (Tensor one = Tensor.scalar(1f)) {
      assertThat(hex(new ReceivedTensor(Optional.of(one), false)))
          .isEqualTo("18e8070a08080122040000803f");
    }
  }

  @Test
  void encode_vector_isWhatStockWrites() {
    try (Tensor two = Tensor.of(1f, 2f)) {
      assertThat(hex(new ReceivedTensor(Optional.of(two), false)))
          .isEqualTo("18e8070a120801120412020802" + "22080000803f00000040");
    }
  }

  @Test
  void encode_dead_isWhatStockWrites() {
    assertThat(hex(new ReceivedTensor(Optional.empty(), false)))
        .isEqualTo("100118e8070a0a08011204120208002200");
  }

  @Test
  void encode_noElements_hasShapeAndEmptyContent() {
    try (Tensor none = Tensor.of(Shape.of(0, 3), new float[0])) {
      assertThat(hex(new ReceivedTensor(Optional.of(none), false)))
          .isEqualTo("18e8070a0e" + "0801" + "1208" + "12020800" + "12020803" + "2200");
    }
  }

  @Test
  void encode_requireAck_standsBeforeTheTensor() {
    try (Tensor one = Tensor.scalar(1f)) {
      assertThat(hex(new ReceivedTensor(Optional.of(one), true)))
          .isEqualTo("18e80728010a08080122040000803f");
    }
  }

  @Test
  void decode_whatEncodeWrote_isTheSame() {
    try (Tensor sent = Tensor.of(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
        Tensor got = value(CODEC.encode().apply(new ReceivedTensor(Optional.of(sent), false)))) {
      assertThat(got.shape()).isEqualTo(sent.shape());
      assertThat(got.toInts()).containsExactly(1, 2, 3, 4, 5, 6);
    }
  }

  @Test
  void decode_strings_areTheSame() {
    try (Tensor sent = Tensor.of("ab", "", "cde")) {
      ByteString bytes = CODEC.encode().apply(new ReceivedTensor(Optional.of(sent), false));

      assertThat(toHex(bytes)).endsWith("2208" + "0200036162636465");
      try (Tensor got = value(bytes)) {
        assertThat(got.toStrings()).containsExactly("ab", "", "cde");
      }
    }
  }

  @Test
  void decode_ascendingFieldOrder_isRead() {
    try (Tensor got = value(bytes("0a08080122040000803f" + "18e807"))) {
      assertThat(got.floatValue()).isEqualTo(1f);
    }
  }

  @Test
  void decode_contentBeforeTypeAndShape_isRead() {
    try (Tensor got = value(bytes("0a12" + "22080000803f00000040" + "120412020802" + "0801"))) {
      assertThat(got.toFloats()).containsExactly(1f, 2f);
    }
  }

  @Test
  void decode_unknownFields_areSkipped() {
    // Field 9 outside, field 99 inside of the tensor.
    try (Tensor got = value(bytes("4a0141" + "0a0b" + "0801" + "980601" + "22040000803f"))) {
      assertThat(got.floatValue()).isEqualTo(1f);
    }
  }

  @Test
  void decode_typedList_isRead() {
    try (Tensor got = value(bytes("0a0e" + "0801" + "120412020802" + "2a040000803f"))) {
      assertThat(got.toFloats()).containsExactly(1f, 1f); // A short list repeats its last value.
    }
  }

  @Test
  void decode_tensorInTwoParts_isTheirSum() {
    try (Tensor got = value(bytes("0a020801" + "0a06" + "22040000803f"))) {
      assertThat(got.floatValue()).isEqualTo(1f);
    }
  }

  @Test
  void decode_dead_hasNoValue() {
    ReceivedTensor got = decoded("100118e8070a0a08011204120208002200");

    assertThat(got.value()).isEmpty();
    assertThat(decoded("1001").value()).isEmpty();
  }

  @Test
  void decode_requireAck_isKept() {
    assertThat(decoded("10012801").requireAck()).isTrue();
  }

  @Test
  void decode_noTensor_isInvalid() {
    assertInvalid("18e807");
  }

  @Test
  void decode_contentOfAnotherSize_isInvalid() {
    assertInvalid("0a12" + "0801" + "120412020803" + "22080000803f00000040");
  }

  @Test
  void decode_boolThatIsNone_isInvalid() {
    assertInvalid("0a05" + "080a" + "220102");
  }

  @Test
  void decode_referenceType_isInvalid() {
    assertInvalid("0a08" + "0865" + "22040000803f");
  }

  @Test
  void decode_truncated_isInvalid() {
    String whole = "18e8070a120801120412020802" + "22080000803f00000040";
    for (int end = 2; end < whole.length(); end += 2) {
      assertInvalid(whole.substring(0, end));
    }
  }

  @Test
  void decode_hugeShapeWithoutContent_isInvalidBeforeAnyAllocation() {
    // float [2^40]
    assertInvalid("0a0d" + "0801" + "1209" + "1207" + "08808080808020");
  }

  private static void assertInvalid(String hex) {
    assertThatThrownBy(() -> decoded(hex))
        .as(hex)
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  private static ReceivedTensor decoded(String hex) {
    return CODEC.decode().apply(bytes(hex), Allocator.shared());
  }

  private static Tensor value(ByteString bytes) {
    return CODEC.decode().apply(bytes, Allocator.shared()).value().orElseThrow();
  }

  private static ByteString bytes(String hex) {
    return ByteString.fromHex(hex);
  }

  private static String hex(ReceivedTensor received) {
    return toHex(CODEC.encode().apply(received));
  }

  private static String toHex(ByteString bytes) {
    return java.util.HexFormat.of().formatHex(bytes.toByteArray());
  }
}
