package dev.tributary.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryTest {
  private static final int SIZE = 256;

  private long block;

  @BeforeEach
  void allocate() {
    block = Memory.allocate(SIZE);
    Memory.fill(block, SIZE, (byte) 0x55);
  }

  @AfterEach
  void free() {
    Memory.free(block);
  }

  @Test
  void allocate_anySize_isAlignedTo64() {
    for (int size = 1; size < 500; size += 7) {
      long address = Memory.allocate(size);
      Memory.fill(address, size, (byte) -1);
      assertThat(address % 64).isZero();
      Memory.free(address);
    }
  }

  @Test
  void putAndGet_everyType_agree() {
    Memory.putFloat(block, 1.5f);
    Memory.putDouble(block + 8, -2.5);
    Memory.putInt(block + 16, Integer.MIN_VALUE);
    Memory.putLong(block + 24, Long.MAX_VALUE);
    Memory.putShort(block + 32, (short) -3);
    Memory.putByte(block + 34, (byte) -4);
    Memory.putBoolean(block + 35, true);

    assertThat(Memory.getFloat(block)).isEqualTo(1.5f);
    assertThat(Memory.getDouble(block + 8)).isEqualTo(-2.5);
    assertThat(Memory.getInt(block + 16)).isEqualTo(Integer.MIN_VALUE);
    assertThat(Memory.getLong(block + 24)).isEqualTo(Long.MAX_VALUE);
    assertThat(Memory.getShort(block + 32)).isEqualTo((short) -3);
    assertThat(Memory.getByte(block + 34)).isEqualTo((byte) -4);
    assertThat(Memory.getBoolean(block + 35)).isTrue();
    assertThat(Memory.getByte(block + 36)).isEqualTo((byte) 0x55);
  }

  @Test
  void copy_partsOfArrays_landWhereTheyShould() {
    Memory.copy(new float[] {1, 2, 3, 4}, 1, block, 2);
    Memory.copy(new double[] {1, 2, 3}, 2, block + 8, 1);
    Memory.copy(new int[] {1, 2, 3}, 1, block + 16, 2);
    Memory.copy(new long[] {1, 2, 3}, 1, block + 24, 2);
    Memory.copy(new short[] {1, 2, 3}, 1, block + 40, 2);
    Memory.copy(new byte[] {1, 2, 3}, 1, block + 44, 2);
    Memory.copy(new boolean[] {false, true, false}, 1, block + 46, 2);

    float[] floats = new float[4];
    double[] doubles = new double[2];
    int[] ints = new int[4];
    long[] longs = new long[4];
    short[] shorts = new short[4];
    byte[] bytes = new byte[4];
    boolean[] booleans = new boolean[4];
    Memory.copy(block, floats, 1, 2);
    Memory.copy(block + 8, doubles, 1, 1);
    Memory.copy(block + 16, ints, 1, 2);
    Memory.copy(block + 24, longs, 1, 2);
    Memory.copy(block + 40, shorts, 1, 2);
    Memory.copy(block + 44, bytes, 1, 2);
    Memory.copy(block + 46, booleans, 1, 2);

    assertThat(floats).containsExactly(0, 2, 3, 0);
    assertThat(doubles).containsExactly(0, 3);
    assertThat(ints).containsExactly(0, 2, 3, 0);
    assertThat(longs).containsExactly(0, 2, 3, 0);
    assertThat(shorts).containsExactly((short) 0, (short) 2, (short) 3, (short) 0);
    assertThat(bytes).containsExactly(0, 2, 3, 0);
    assertThat(booleans).containsExactly(false, true, false, false);
  }

  @Test
  void bytes_overNativeMemory_readsAndWritesIt() {
    Memory.putInt(block + 4, 0x01020304);
    ByteBuffer view = Memory.bytes(block + 4, 8);

    assertThat(view.isDirect()).isTrue();
    assertThat(view.remaining()).isEqualTo(8);
    assertThat(view.order()).isEqualTo(ByteOrder.nativeOrder());
    assertThat(view.getInt()).isEqualTo(0x01020304);
    view.putInt(77);
    assertThat(Memory.getInt(block + 8)).isEqualTo(77);
    assertThat(view.hasRemaining()).isFalse();
    assertThat(Memory.getByte(block + 12)).isEqualTo((byte) 0x55);
  }
}
