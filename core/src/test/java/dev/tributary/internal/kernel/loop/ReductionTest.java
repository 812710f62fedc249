package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReductionTest {
  static Stream<Arguments> cases() {
    return Stream.of(
        of(Shape.scalar()),
        of(Shape.of(1), 0),
        of(Shape.of(7), 0),
        of(Shape.of(7)),
        of(Shape.of(70_001), 0),
        of(Shape.of(5, 7), 1),
        of(Shape.of(300, 7), -1),
        of(Shape.of(11, 49), 1),
        of(Shape.of(3, 1100), 1),
        of(Shape.of(300, 7), 0),
        of(Shape.of(2100, 3), 0),
        of(Shape.of(5, 1100), 0),
        of(Shape.of(40, 700), 0),
        of(Shape.of(3, 5, 7), 1),
        of(Shape.of(3, 5, 7), 0, 2),
        of(Shape.of(3, 100, 700), 0, 2),
        of(Shape.of(40, 2, 1025), 0, 2),
        of(Shape.of(3, 1, 7), 1),
        of(Shape.of(9, 4, 5, 6), 0, 1, 2),
        of(Shape.of(2, 3, 4, 5, 3, 2), 0, 2, 4),
        of(Shape.of(2, 3, 4, 5, 3, 2), 1, 3, 5),
        of(Shape.of(0, 3), 0),
        of(Shape.of(3, 0), 0),
        of(Shape.of(0), 0));
  }

  private static Arguments of(Shape shape, long... axes) {
    return Arguments.of(shape, axes);
  }

  /** Folds one element at a time, at the place its kept coordinates give. */
  private static double[] plain(
      Tensor in, ReductionShape reduction, long[] axes, double from, DoubleBinaryOperator f) {
    double[] results = new double[(int) reduction.result().elementCount()];
    Arrays.fill(results, from);
    Shape shape = in.shape();
    boolean[] reduced = new boolean[shape.rank()];
    for (long axis : axes) {
      reduced[(int) Math.floorMod(axis, shape.rank())] = true;
    }
    for (long i = 0; i < in.elementCount(); i++) {
      long rest = i;
      long at = 0;
      long step = 1;
      for (int dimension = shape.rank() - 1; dimension >= 0; dimension--) {
        long coordinate = rest % shape.size(dimension);
        rest /= shape.size(dimension);
        if (!reduced[dimension]) {
          at += coordinate * step;
          step *= shape.size(dimension);
        }
      }
      results[(int) at] = f.applyAsDouble(results[(int) at], Elements.get(in, i));
    }
    return results;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void run_wholeNumbers_equalsThePlainLoop(Shape shape, long[] axes) {
    ReductionShape reduction = ReductionShape.of(shape, axes, false);
    for (DataType type :
        new DataType[] {DataType.FLOAT, DataType.DOUBLE, DataType.INT32, DataType.INT64}) {
      try (Tensor in = Elements.small(type, shape, 9, 5)) {
        check(Folds.SUM, in, reduction, plain(in, reduction, axes, 0, Double::sum));
      }
      try (Tensor in = Elements.fill(type, shape, i -> i % 41 == 0 ? -1 : 1)) {
        check(Folds.PRODUCT, in, reduction, plain(in, reduction, axes, 1, (x, y) -> x * y));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void run_extremesOfEveryType_equalsThePlainLoop(Shape shape, long[] axes) {
    ReductionShape reduction = ReductionShape.of(shape, axes, false);
    for (DataType type : Elements.ARITHMETIC) {
      if (reduction.reducedCount() == 0) {
        continue;
      }
      try (Tensor in = Elements.small(type, shape, 120, 6)) {
        check(Folds.MAXIMUM, in, reduction, plain(in, reduction, axes, -1e9, Math::max));
        check(Folds.MINIMUM, in, reduction, plain(in, reduction, axes, 1e9, Math::min));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void run_booleans_equalsThePlainLoop(Shape shape, long[] axes) {
    ReductionShape reduction = ReductionShape.of(shape, axes, false);
    try (Tensor mostly = Elements.fill(DataType.BOOL, shape, i -> i % 50 == 3 ? 0 : 1);
        Tensor rarely = Elements.fill(DataType.BOOL, shape, i -> i % 50 == 3 ? 1 : 0)) {
      check(Folds.ALL, mostly, reduction, plain(mostly, reduction, axes, 1, Math::min));
      check(Folds.ANY, rarely, reduction, plain(rarely, reduction, axes, 0, Math::max));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void mean_everyType_dividesTheSum(Shape shape, long[] axes) {
    ReductionShape reduction = ReductionShape.of(shape, axes, false);
    for (DataType type : Elements.ARITHMETIC) {
      try (Tensor in = Elements.small(type, shape, 100, 7);
          Tensor out = Tensor.zeros(type, reduction.result())) {
        Reduction.mean(type, in.storage().address(), out.storage().address(), reduction);
        double[] sums = plain(in, reduction, axes, 0, Double::sum);
        for (int i = 0; i < sums.length; i++) {
          double mean = sums[i] / reduction.reducedCount();
          double got = Elements.get(out, i);
          if (type.isInteger()) {
            assertThat(got).isEqualTo(Double.isNaN(mean) ? 0 : (long) mean);
          } else if (Double.isNaN(mean)) {
            assertThat(got).isNaN();
          } else {
            assertThat(got).isCloseTo(mean, within(mean * (type.size() == 2 ? 0.005 : 1e-6)));
          }
        }
      }
    }
  }

  private static void check(Fold fold, Tensor in, ReductionShape reduction, double[] wanted) {
    try (Tensor out = Tensor.zeros(in.type(), reduction.result())) {
      Reduction.run(fold, in.type(), in.storage().address(), out.storage().address(), reduction);
      for (int i = 0; i < wanted.length; i++) {
        assertThat(Elements.get(out, i))
            .as("%s of %s at %d", in.type(), in.shape(), i)
            .isEqualTo(wanted[i]);
      }
    }
  }

  @Test
  void run_longFloatSums_areAccurate() {
    Random random = new Random(8);
    int rows = 400_000;
    try (Tensor in =
            Elements.fill(DataType.FLOAT, Shape.of(rows, 3), i -> 0.1f + random.nextFloat());
        Tensor columns = Tensor.zeros(DataType.FLOAT, Shape.of(3));
        Tensor all = Tensor.zeros(DataType.FLOAT, Shape.scalar())) {
      double[] exact = new double[4];
      for (int i = 0; i < 3 * rows; i++) {
        exact[i % 3] += in.getFloat(i);
        exact[3] += in.getFloat(i);
      }
      sum(in, columns, 0);
      sum(in, all, 0, 1);
      for (int i = 0; i < 3; i++) {
        assertThat((double) columns.getFloat(i)).isCloseTo(exact[i], within(3e-7 * exact[i]));
      }
      assertThat((double) all.floatValue()).isCloseTo(exact[3], within(3e-7 * exact[3]));
    }
  }

  @Test
  void run_manyEqualFloats_doesNotDrift() {
    int count = 1 << 22;
    try (Tensor in = Elements.fill(DataType.FLOAT, Shape.of(count), i -> 0.1f);
        Tensor all = Tensor.zeros(DataType.FLOAT, Shape.scalar())) {
      sum(in, all, 0);
      assertThat((double) all.floatValue())
          .isCloseTo(0.1f * (double) count, within(1e-6 * 0.1 * count));
    }
  }

  private static void sum(Tensor in, Tensor out, long... axes) {
    ReductionShape reduction = ReductionShape.of(in.shape(), axes, false);
    Reduction.run(
        Folds.SUM, DataType.FLOAT, in.storage().address(), out.storage().address(), reduction);
  }

  @Test
  void run_nothing_givesTheNeutralElement() {
    assertThat(ofNothing(Folds.SUM, DataType.HALF)).isEqualTo(0);
    assertThat(ofNothing(Folds.PRODUCT, DataType.UINT8)).isEqualTo(1);
    assertThat(ofNothing(Folds.MAXIMUM, DataType.FLOAT)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(ofNothing(Folds.MINIMUM, DataType.BFLOAT16)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(ofNothing(Folds.MAXIMUM, DataType.INT32)).isEqualTo(Integer.MIN_VALUE);
    assertThat(ofNothing(Folds.MAXIMUM, DataType.UINT8)).isEqualTo(0);
    assertThat(ofNothing(Folds.MINIMUM, DataType.UINT8)).isEqualTo(255);
    assertThat(ofNothing(Folds.MAXIMUM, DataType.INT8)).isEqualTo(-128);
    assertThat(ofNothing(Folds.MINIMUM, DataType.INT16)).isEqualTo(32767);
    assertThat(ofNothing(Folds.ALL, DataType.BOOL)).isEqualTo(1);
  }

  private static double ofNothing(Fold fold, DataType type) {
    try (Tensor in = Tensor.zeros(type, Shape.of(0, 600));
        Tensor out = Tensor.zeros(type, Shape.of(600))) {
      Reduction.run(
          fold,
          type,
          in.storage().address(),
          out.storage().address(),
          ReductionShape.of(in.shape(), new long[] {0}, false));
      assertThat(Elements.get(out, 599)).isEqualTo(Elements.get(out, 0));
      return Elements.get(out, 0);
    }
  }

  @Test
  void run_notANumber_winsExtremes() {
    try (Tensor in = Elements.fill(DataType.FLOAT, Shape.of(700), i -> i == 650 ? Double.NaN : i);
        Tensor out = Tensor.zeros(DataType.FLOAT, Shape.scalar())) {
      ReductionShape reduction = ReductionShape.of(in.shape(), new long[] {0}, false);
      Reduction.run(
          Folds.MAXIMUM,
          DataType.FLOAT,
          in.storage().address(),
          out.storage().address(),
          reduction);
      assertThat(out.floatValue()).isNaN();
    }
  }

  @Test
  void mean_ofLargeInts_doesNotOverflow() {
    try (Tensor in = Tensor.of(Integer.MAX_VALUE, 3);
        Tensor out = Tensor.zeros(DataType.INT32, Shape.scalar())) {
      Reduction.mean(
          DataType.INT32,
          in.storage().address(),
          out.storage().address(),
          ReductionShape.of(in.shape(), new long[] {0}, false));
      assertThat(out.intValue()).isEqualTo(1073741825);
    }
  }
}
