package dev.tributary.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.math.Comparisons;
import dev.tributary.internal.kernel.nn.ActivationLoops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Element-wise functions, against the loops that define them: bit for bit, NaN and all. */
public interface ElementWiseContract extends BackendContract {
  /** On either side of where work is shared or goes to native code. */
  int[] COUNTS = {0, 1, 7, 65, 8193, 65537, (1 << 17) + 3, 400_001};

  /** How many elements the operands begin behind an aligned address. */
  int SHIFT = 3;

  List<BinaryLoop> PAIRS =
      List.of(
          Arithmetic.ADD,
          Arithmetic.SUBTRACT,
          Arithmetic.MULTIPLY,
          Arithmetic.REAL_DIVIDE,
          Arithmetic.MAXIMUM);

  @Test
  default void elementWise_pairsOfOddCounts_equalsTheLoop() {
    for (BinaryLoop loop : PAIRS) {
      for (int count : COUNTS) {
        for (DataType type : REALS) {
          requireSame(loop, type, Shape.of(count), Shape.of(count));
        }
      }
    }
  }

  @Test
  default void elementWise_pairsWithBroadcasting_equalsTheLoop() {
    Shape large = Shape.of(401, 1003);
    for (BinaryLoop loop : PAIRS) {
      requireSame(loop, DataType.FLOAT, large, Shape.scalar());
      requireSame(loop, DataType.FLOAT, Shape.scalar(), large);
      requireSame(loop, DataType.FLOAT, large, Shape.of(1003));
      requireSame(loop, DataType.FLOAT, Shape.of(401, 1), large);
    }
  }

  @Test
  default void elementWise_unaryOfOddCounts_equalsTheLoop() {
    UnaryLoop negated = UnaryLoop.of().floats(x -> -x).doubles(x -> -x);
    UnaryLoop isNaN = UnaryLoop.of().testFloats(Float::isNaN).testDoubles(Double::isNaN);
    for (UnaryLoop loop : List.of(negated, isNaN)) {
      for (int count : COUNTS) {
        for (DataType type : REALS) {
          requireSame(loop, type, count);
        }
      }
    }
  }

  /** The sign of a zero is free here. */
  @Test
  default void elementWise_rectifier_keepsNaN() {
    for (int count : COUNTS) {
      try (Tensor x = special(DataType.FLOAT, 1, SHIFT + count);
          Tensor got = unwritten(DataType.FLOAT, SHIFT + count)) {
        float[] given = x.toFloats();
        float[] wanted = new float[given.length];
        for (int i = SHIFT; i < wanted.length; i++) {
          wanted[i] = Math.max(0f, given[i]);
        }
        long shift = SHIFT * (long) Float.BYTES;
        backend()
            .elementWise(
                ActivationLoops.RELU,
                DataType.FLOAT,
                count,
                x.storage().address() + shift,
                got.storage().address() + shift);
        float[] actual = got.toFloats();
        for (int i = 0; i < actual.length; i++) {
          actual[i] = i < SHIFT ? 0f : actual[i] + 0f;
        }
        assertThat(actual).as("%d elements", count).isEqualTo(wanted);
      }
    }
  }

  @Test
  default void elementWise_comparison_writesBooleans() {
    int count = 300_001;
    Broadcast walk = Broadcast.of(Shape.of(count), Shape.of(count));
    try (Tensor x = special(DataType.FLOAT, 1, count);
        Tensor y = special(DataType.FLOAT, 2, count);
        Tensor wanted = Tensor.allocate(DataType.BOOL, Shape.of(count));
        Tensor got = Tensor.allocate(DataType.BOOL, Shape.of(count))) {
      BinaryLoop less = Comparisons.LESS;
      less.run(
          DataType.FLOAT,
          x.storage().address(),
          y.storage().address(),
          wanted.storage().address(),
          walk);
      backend()
          .elementWise(
              less,
              DataType.FLOAT,
              walk,
              x.storage().address(),
              y.storage().address(),
              got.storage().address());
      assertThat(got.toBooleans()).isEqualTo(wanted.toBooleans());
    }
  }

  @Test
  default void elementWise_intoAnOperand_equalsTheLoop() {
    int count = 150_001;
    Broadcast walk = Broadcast.of(Shape.of(count), Shape.of(count));
    try (Tensor x = special(DataType.FLOAT, 1, count);
        Tensor y = special(DataType.FLOAT, 2, count);
        Tensor wanted = unwritten(DataType.FLOAT, count)) {
      Arithmetic.SUBTRACT.run(
          DataType.FLOAT,
          x.storage().address(),
          y.storage().address(),
          wanted.storage().address(),
          walk);
      backend()
          .elementWise(
              Arithmetic.SUBTRACT,
              DataType.FLOAT,
              walk,
              x.storage().address(),
              y.storage().address(),
              y.storage().address());
      assertThat(y.toFloats()).isEqualTo(wanted.toFloats());
    }
  }

  private void requireSame(BinaryLoop loop, DataType type, Shape left, Shape right) {
    Broadcast walk = Broadcast.of(left, right);
    int shift = SHIFT * type.size();
    try (Tensor x = special(type, 1, SHIFT + left.elementCount());
        Tensor y = special(type, 2, SHIFT + right.elementCount());
        Tensor wanted = unwritten(type, SHIFT + walk.elementCount());
        Tensor got = unwritten(type, SHIFT + walk.elementCount())) {
      long a = x.storage().address() + shift;
      long b = y.storage().address() + shift;
      loop.run(type, a, b, wanted.storage().address() + shift, walk);
      backend().elementWise(loop, type, walk, a, b, got.storage().address() + shift);
      assertThat(values(got)).as("%s with %s", left, right).isEqualTo(values(wanted));
    }
  }

  private void requireSame(UnaryLoop loop, DataType type, int count) {
    DataType result = loop.resultType(type);
    try (Tensor x = special(type, 1, count);
        Tensor wanted = Tensor.zeros(result, Shape.of(count));
        Tensor got = Tensor.zeros(result, Shape.of(count))) {
      loop.run(type, x.storage().address(), wanted.storage().address(), count);
      backend().elementWise(loop, type, count, x.storage().address(), got.storage().address());
      if (result == DataType.BOOL) {
        assertThat(got.toBooleans()).isEqualTo(wanted.toBooleans());
      } else {
        assertThat(values(got)).isEqualTo(values(wanted));
      }
    }
  }

  /** Random numbers, with NaN and infinities among them. */
  private Tensor special(DataType type, long seed, long count) {
    double[] values = random(seed, count);
    double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.0};
    for (int i = (int) seed; i < values.length; i += 11) {
      values[i] = odd[i % odd.length];
    }
    return tensor(type, values);
  }
}
