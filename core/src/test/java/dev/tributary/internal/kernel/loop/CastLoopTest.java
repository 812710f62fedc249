package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class CastLoopTest {
  private static final DataType[] ALL =
      Arrays.copyOf(Elements.ARITHMETIC, Elements.ARITHMETIC.length + 1);

  static {
    ALL[ALL.length - 1] = DataType.BOOL;
  }

  @Test
  void run_everyPairOfTypes_keepsSmallNumbers() {
    for (DataType from : ALL) {
      for (DataType to : ALL) {
        for (long count : new long[] {0, 1, 7, 1100}) {
          try (Tensor in =
                  Elements.small(from, Shape.of(count), from == DataType.BOOL ? 1 : 100, 9);
              Tensor out = Tensor.zeros(to, Shape.of(count))) {
            CastLoop.run(from, in.storage().address(), to, out.storage().address(), count);
            for (long i = 0; i < count; i++) {
              double value = Elements.get(in, i);
              double wanted = to == DataType.BOOL ? Math.min(value, 1) : value;
              assertThat(Elements.get(out, i)).as("%s to %s", from, to).isEqualTo(wanted);
            }
          }
        }
      }
    }
  }

  // The wanted values below are what stock TensorFlow 2.18 gives on x86-64.

  @Test
  void run_floatsThatDoNotFit_becomeTheLeastIntegerOrWrap() {
    double infinity = Double.POSITIVE_INFINITY;
    double[] values = {
      -1, -129, -130.7, 128, 300.9, 40000, 3e9, -3e9, 1e19, Double.NaN, infinity, 0.99, -0.5
    };
    double least = Integer.MIN_VALUE;
    for (DataType from : new DataType[] {DataType.FLOAT, DataType.DOUBLE}) {
      assertThat(cast(from, DataType.INT32, values))
          .containsExactly(
              -1, -129, -130, 128, 300, 40000, least, least, least, least, least, 0, 0);
      assertThat(cast(from, DataType.INT64, Arrays.copyOf(values, 11)))
          .containsExactly(
              -1,
              -129,
              -130,
              128,
              300,
              40000,
              3e9,
              -3e9,
              Long.MIN_VALUE,
              Long.MIN_VALUE,
              Long.MIN_VALUE);
      assertThat(cast(from, DataType.UINT8, values))
          .containsExactly(255, 127, 126, 128, 44, 64, 0, 0, 0, 0, 0, 0, 0);
      assertThat(cast(from, DataType.INT8, values))
          .containsExactly(-1, 127, 126, -128, 44, 64, 0, 0, 0, 0, 0, 0, 0);
      assertThat(cast(from, DataType.INT16, values))
          .containsExactly(-1, -129, -130, 128, 300, -25536, 0, 0, 0, 0, 0, 0, 0);
      assertThat(cast(from, DataType.BOOL, Double.NaN, 0, -0.0, 0.5)).containsExactly(1, 0, 0, 1);
    }
    assertThat(cast(DataType.DOUBLE, DataType.INT32, 2147483647.5, 2147483648.0))
        .containsExactly(2147483647, least);
  }

  @Test
  void run_toSixteenBits_roundsByWayOfFloat() {
    assertThat(cast(DataType.DOUBLE, DataType.HALF, -130.7, 300.9, 40000, 70000))
        .containsExactly(-130.75, 301, 40000, Double.POSITIVE_INFINITY);
    assertThat(cast(DataType.DOUBLE, DataType.BFLOAT16, -130.7, 300.9, 40000, 70000))
        .containsExactly(-131, 300, 39936, 70144);
    assertThat(cast(DataType.DOUBLE, DataType.HALF, 1 + 0x1p-11 + 0x1p-40)).containsExactly(1);
    assertThat(cast(DataType.INT64, DataType.HALF, (1L << 33) + 5, -1, 2049))
        .containsExactly(Double.POSITIVE_INFINITY, -1, 2048);
  }

  @Test
  void run_wideIntegers_loseUpperBits() {
    assertThat(cast(DataType.INT64, DataType.INT32, (1L << 33) + 5, -1, 300))
        .containsExactly(5, -1, 300);
    assertThat(cast(DataType.INT32, DataType.UINT8, 300, -1, 256)).containsExactly(44, 255, 0);
    assertThat(cast(DataType.UINT8, DataType.INT8, 200)).containsExactly(-56);
    assertThat(cast(DataType.INT32, DataType.BOOL, 256, 0)).containsExactly(1, 0);
  }

  private static double[] cast(DataType from, DataType to, double... values) {
    try (Tensor in = Elements.fill(from, Shape.of(values.length), i -> values[(int) i]);
        Tensor out = Tensor.zeros(to, Shape.of(values.length))) {
      CastLoop.run(from, in.storage().address(), to, out.storage().address(), values.length);
      return DoubleStream.iterate(0, i -> i + 1)
          .limit(values.length)
          .map(i -> Elements.get(out, (long) i))
          .toArray();
    }
  }
}
