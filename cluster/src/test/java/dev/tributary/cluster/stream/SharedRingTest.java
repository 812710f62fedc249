package dev.tributary.cluster.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NoLeaks
class SharedRingTest {
  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(SharedRing.BYTES).order(ByteOrder.nativeOrder());
  private final SharedRing writer = new SharedRing(memory);
  private final SharedRing reader = new SharedRing(memory);

  @Test
  void bytes_moreThanTheRingHolds_comeOutAsTheyWentIn() throws IOException {
    int[] values = new int[SharedRing.CAPACITY / Integer.BYTES * 2 + 7];
    for (int i = 0; i < values.length; i++) {
      values[i] = 3 * i;
    }
    try (Tensor from = Tensor.of(values);
        Tensor to = Tensor.of(new int[values.length])) {
      for (long position = 0; position < from.byteSize(); ) {
        int put = writer.put(from.address() + position, from.byteSize() - position);
        int taken = reader.take(to.address() + position, to.byteSize() - position);
        assertThat(taken).isEqualTo(put).isPositive();
        position += taken;
      }
      assertThat(to.toInts()).isEqualTo(values);
    }
  }

  @Test
  void ring_thatIsFull_takesNothing() throws IOException {
    try (Tensor chunk = Tensor.of(new int[SharedRing.CAPACITY / Integer.BYTES])) {
      long put = 0;
      while (put < SharedRing.CAPACITY) {
        put += writer.put(chunk.address() + put, chunk.byteSize() - put);
      }

      assertThat(writer.put(chunk.address(), 1)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, Long.MIN_VALUE, Long.MAX_VALUE, -3L << 20})
  void reader_thatCountsWrong_isAnError(long taken) {
    memory.putLong(SharedRing.TAKEN, taken);
    try (Tensor value = Tensor.of(1, 2)) {
      assertThatThrownBy(() -> writer.put(value.address(), value.byteSize()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("malformed");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, (2 << 20) + 1})
  void writer_thatCountsWrong_isAnError(long put) {
    memory.putLong(SharedRing.PUT, put);
    try (Tensor value = Tensor.of(1, 2)) {
      assertThatThrownBy(() -> reader.take(value.address(), value.byteSize()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("malformed");
    }
  }

  @Test
  void reader_thatSleeps_isWokenOnce() throws IOException {
    try (Tensor value = Tensor.of(1, 2)) {
      assertThat(reader.fillsSoon()).isFalse();
      assertThat(reader.sleeps()).isTrue();
      writer.put(value.address(), 4);
      assertThat(writer.wakesReader()).isTrue();
      writer.put(value.address(), 4);
      assertThat(writer.wakesReader()).isFalse();
    }
  }

  @Test
  void reader_thatFindsSomethingAsItFallsAsleep_isNotWoken() throws IOException {
    try (Tensor value = Tensor.of(1, 2)) {
      writer.put(value.address(), 4);
      assertThat(reader.sleeps()).isFalse();
      assertThat(writer.wakesReader()).isFalse();
      assertThat(reader.fillsSoon()).isTrue();
    }
  }
}
