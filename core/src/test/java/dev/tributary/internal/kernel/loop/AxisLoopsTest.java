package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisLoopsTest {
  @ParameterizedTest
  @CsvSource({
    "1,1,1",
    "1,700,1",
    "3,1100,1",
    "2,5,7",
    "3,4,600",
    "0,3,2",
    "2,0,1",
    "5,3,1",
    "1,513,2"
  })
  void scan_everyDirection_equalsThePlainLoop(long outer, long length, long inner) {
    Shape shape = Shape.of(outer, length, inner);
    AxisWalk walk = AxisWalk.of(shape, -2);
    for (DataType type :
        new DataType[] {DataType.FLOAT, DataType.DOUBLE, DataType.INT32, DataType.INT64}) {
      for (int kind = 0; kind < 4; kind++) {
        boolean exclusive = (kind & 1) != 0;
        boolean reverse = (kind & 2) != 0;
        try (Tensor in = Elements.small(type, shape, 9, 3);
            Tensor out = Tensor.zeros(type, shape)) {
          Scan.run(
              Folds.SUM,
              type,
              in.storage().address(),
              out.storage().address(),
              walk,
              exclusive,
              reverse);
          checkScan(in, out, walk, exclusive, reverse);
          Scan.run(
              Folds.SUM,
              type,
              in.storage().address(),
              in.storage().address(),
              walk,
              exclusive,
              reverse);
          assertThat(in.toBytes()).isEqualTo(out.toBytes());
        }
      }
    }
  }

  private static void checkScan(
      Tensor in, Tensor out, AxisWalk walk, boolean exclusive, boolean reverse) {
    for (long o = 0; o < walk.outer(); o++) {
      for (long c = 0; c < walk.inner(); c++) {
        double running = 0;
        for (long step = 0; step < walk.length(); step++) {
          long row = reverse ? walk.length() - 1 - step : step;
          long at = (o * walk.length() + row) * walk.inner() + c;
          double before = running;
          running += Elements.get(in, at);
          assertThat(Elements.get(out, at)).isEqualTo(exclusive ? before : running);
        }
      }
    }
  }

  @Test
  void scan_products_beginWithOne() {
    try (Tensor in = Tensor.of(2f, 3f, 4f)) {
      Scan.run(
          Folds.PRODUCT,
          DataType.FLOAT,
          in.storage().address(),
          in.storage().address(),
          AxisWalk.of(in.shape(), 0),
          true,
          false);
      assertThat(in.toFloats()).containsExactly(1, 2, 6);
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1,1", "1,1300,1", "300,10,1", "2,5,7", "3,40,600", "0,3,2"})
  void argReduction_everyType_findsTheFirst(long outer, long length, long inner) {
    Shape shape = Shape.of(outer, length, inner);
    AxisWalk walk = AxisWalk.of(shape, 1);
    for (DataType type : Elements.ARITHMETIC) {
      try (Tensor in = Elements.small(type, shape, 90, 4);
          Tensor greatest = Tensor.zeros(DataType.INT64, Shape.of(outer, inner));
          Tensor least = Tensor.zeros(DataType.INT32, Shape.of(outer, inner))) {
        ArgReduction.greatest(
            type, in.storage().address(), DataType.INT64, greatest.storage().address(), walk);
        ArgReduction.least(
            type, in.storage().address(), DataType.INT32, least.storage().address(), walk);
        for (long i = 0; i < outer * inner; i++) {
          assertThat(Elements.get(greatest, i)).isEqualTo(plainArg(in, walk, i, 1));
          assertThat(Elements.get(least, i)).isEqualTo(plainArg(in, walk, i, -1));
        }
      }
    }
  }

  private static long plainArg(Tensor in, AxisWalk walk, long position, int sign) {
    long start = position / walk.inner() * walk.length() * walk.inner() + position % walk.inner();
    long best = 0;
    for (long row = 1; row < walk.length(); row++) {
      double bestValue = sign * Elements.get(in, start + best * walk.inner());
      best = sign * Elements.get(in, start + row * walk.inner()) > bestValue ? row : best;
    }
    return best;
  }

  @Test
  void argReduction_signsAndNaN_areOrderedAsNumbers() {
    assertThat(args(DataType.FLOAT, Double.NaN, -1, -3, -1, Double.NaN)).containsExactly(1, 2);
    assertThat(args(DataType.DOUBLE, -0.0, 0.0, -0.0)).containsExactly(0, 0);
    assertThat(args(DataType.DOUBLE, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY))
        .containsExactly(1, 2);
    assertThat(args(DataType.DOUBLE, Double.NaN, Double.NaN)).containsExactly(0, 0);
    assertThat(args(DataType.INT64, -5, Long.MAX_VALUE, Long.MIN_VALUE)).containsExactly(1, 2);
  }

  private static long[] args(DataType type, double... values) {
    try (Tensor in = Elements.fill(type, Shape.of(values.length), i -> values[(int) i]);
        Tensor out = Tensor.zeros(DataType.INT64, Shape.of(2))) {
      AxisWalk walk = AxisWalk.of(in.shape(), 0);
      ArgReduction.greatest(
          type, in.storage().address(), DataType.INT64, out.storage().address(), walk);
      ArgReduction.least(
          type, in.storage().address(), DataType.INT64, out.storage().address() + 8, walk);
      return out.toLongs();
    }
  }

  @Test
  void axis_outsideTheShape_fails() {
    assertThatThrownBy(() -> AxisWalk.of(Shape.of(2), 2))
        .isInstanceOf(TributaryException.class)
        .hasMessage("Expected dimension in the range [-1, 1), but got 2");
    assertThatThrownBy(
            () ->
                ArgReduction.least(
                    DataType.FLOAT, 0, DataType.INT64, 0, AxisWalk.of(Shape.of(0), 0)))
        .hasMessageContaining("empty");
  }
}
