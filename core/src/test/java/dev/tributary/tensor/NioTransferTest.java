package dev.tributary.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.testing.NoLeaks;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@NoLeaks
class NioTransferTest {
  static Stream<Arguments> buffersOfThree() {
    ByteBuffer direct = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
    return Stream.of(
        Arguments.of(
            DataType.FLOAT, FloatBuffer.wrap(new float[] {1, -2, 3}), FloatBuffer.allocate(3)),
        Arguments.of(DataType.FLOAT, IntBuffer.wrap(new int[] {1, -2, 3}), IntBuffer.allocate(3)),
        Arguments.of(
            DataType.DOUBLE, DoubleBuffer.wrap(new double[] {1, -2, 3}), direct.asDoubleBuffer()),
        Arguments.of(
            DataType.INT32,
            IntBuffer.wrap(new int[] {1, -2, 3}).asReadOnlyBuffer(),
            IntBuffer.allocate(3)),
        Arguments.of(
            DataType.INT64, LongBuffer.wrap(new long[] {1, -2, 3}), LongBuffer.allocate(3)),
        Arguments.of(
            DataType.HALF, ShortBuffer.wrap(new short[] {1, -2, 3}), ShortBuffer.allocate(3)),
        Arguments.of(
            DataType.INT8, ByteBuffer.wrap(new byte[] {1, -2, 3}), ByteBuffer.allocate(3)));
  }

  @ParameterizedTest
  @MethodSource("buffersOfThree")
  void copy_everyKind_comesBackEqual(DataType type, Buffer from, Buffer to) {
    try (Tensor tensor = Tensor.of(type, Shape.of(3), from)) {
      assertThat(from.hasRemaining()).isFalse();
      tensor.copyTo(to);
      assertThat(to.hasRemaining()).isFalse();
      assertThat(to.flip()).isEqualTo(from.flip());
    }
  }

  @Test
  void copy_partOfABufferInForeignOrder_takesItsValues() {
    ByteBuffer foreign = ByteBuffer.allocate(12).order(ByteOrder.BIG_ENDIAN);
    foreign.putInt(0, 1).putInt(4, 2).putInt(8, 3);
    IntBuffer values = foreign.asIntBuffer().position(1);

    try (Tensor tensor = Tensor.of(DataType.INT32, Shape.of(2), values)) {
      assertThat(tensor.toInts()).containsExactly(2, 3);
    }
  }

  @Test
  void copyTo_largerBuffer_advancesByTheElements() {
    FloatBuffer target = FloatBuffer.allocate(5).position(1);
    try (Tensor tensor = Tensor.of(7f, 8f)) {
      tensor.copyTo(target);
    }

    assertThat(target.position()).isEqualTo(3);
    assertThat(target.array()).containsExactly(0, 7, 8, 0, 0);
  }

  @Test
  void copyTo_bufferThatCannotTakeThem_isInvalid() {
    try (Tensor tensor = Tensor.of(7f, 8f)) {
      assertThatThrownBy(() -> tensor.copyTo(FloatBuffer.allocate(1)))
          .hasMessageContaining("room for 1 elements");
      assertThatThrownBy(() -> tensor.copyTo(DoubleBuffer.allocate(2)))
          .hasMessageContaining("does not hold float elements");
      assertThatThrownBy(() -> tensor.copyTo(FloatBuffer.allocate(2).asReadOnlyBuffer()))
          .hasMessage("the buffer is read-only");
      ByteBuffer readOnly =
          ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).asReadOnlyBuffer();
      assertThatThrownBy(() -> tensor.copyTo(readOnly.asFloatBuffer()))
          .hasMessage("the buffer is read-only");
    }
  }

  @Test
  void of_bufferOfAnotherKind_isInvalidAndLeaksNothing() {
    assertThatThrownBy(() -> Tensor.of(DataType.HALF, Shape.of(2), CharBuffer.wrap("ab")))
        .hasMessageContaining("does not hold half elements");
    assertThatThrownBy(() -> Tensor.of(DataType.BOOL, Shape.of(1), ByteBuffer.wrap(new byte[] {7})))
        .hasMessageContaining("a bool is the byte 0 or 1");
  }
}
