package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StridedCopyTest {
  private static final DataType[] BY_SIZE = {
    DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64
  };

  static Stream<Arguments> transpositions() {
    return Stream.of(
        of(Shape.scalar()),
        of(Shape.of(5), 0),
        of(Shape.of(3, 0), 1, 0),
        of(Shape.of(3, 5), 1, 0),
        of(Shape.of(3, 5), 0, 1),
        of(Shape.of(33, 70), 1, 0),
        of(Shape.of(4, 100, 65), 0, 2, 1),
        of(Shape.of(4, 100, 5), 2, 0, 1),
        of(Shape.of(4, 10, 5), 1, 0, 2),
        of(Shape.of(4, 10, 80), 1, 0, 2),
        of(Shape.of(4, 1, 5, 3), 3, 2, 1, 0),
        of(Shape.of(2, 3, 4, 5, 6, 3), 5, 1, 3, 0, 4, 2),
        of(Shape.of(2, 3, 4, 5, 6, 3), 0, 1, 4, 5, 2, 3));
  }

  private static Arguments of(Shape shape, int... order) {
    return Arguments.of(shape, order);
  }

  @ParameterizedTest
  @MethodSource("transpositions")
  void copy_permutedStrides_transposes(Shape shape, int[] order) {
    long[] sizes = new long[order.length];
    long[] strides = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      sizes[i] = shape.size(order[i]);
      strides[i] = shape.strides()[order[i]];
    }
    checkCopy(shape, sizes, strides, 0, Shape.of(sizes), 0);
  }

  @Test
  void copy_sliceReverseRepeatAndPad_equalThePlainLoop() {
    Shape shape = Shape.of(6, 20, 30);
    checkCopy(
        shape,
        new long[] {2, 5, 17},
        new long[] {600, 30, 1},
        2 * 600 + 3 * 30 + 4,
        Shape.of(2, 5, 17),
        0);
    checkCopy(shape, new long[] {2, 5, 3}, new long[] {600, 30, 1}, 30, Shape.of(2, 5, 3), 0);
    checkCopy(shape, new long[] {3, 5, 7}, new long[] {1200, 90, 4}, 1, Shape.of(3, 5, 7), 0);
    checkCopy(
        shape,
        new long[] {6, 20, 30},
        new long[] {-600, 30, -1},
        3600 - 600 + 29,
        Shape.of(6, 20, 30),
        0);
    checkCopy(shape, new long[] {4, 30, 3}, new long[] {0, 1, 0}, 0, Shape.of(4, 30, 3), 0);
    checkCopy(Shape.of(3, 4), new long[] {3, 4}, new long[] {4, 1}, 0, Shape.of(9, 8), 2 * 8 + 3);
    checkCopy(
        Shape.of(3, 40), new long[] {40, 3}, new long[] {1, 40}, 0, Shape.of(50, 8), 2 * 8 + 3);
  }

  /**
   * Copies sizes from a dense tensor into a corner of a larger dense one, and compares all of the
   * latter.
   */
  private static void checkCopy(
      Shape from, long[] sizes, long[] strides, long fromAt, Shape to, long toAt) {
    long count = Shape.of(sizes).elementCount();
    for (DataType type : BY_SIZE) {
      int size = type.size();
      try (Tensor in = Elements.fill(type, from, i -> i * 7 % 127);
          Tensor out = Tensor.zeros(type, to);
          Tensor wanted = Tensor.zeros(type, to)) {
        Object[] objects = new Object[(int) in.elementCount()];
        for (int i = 0; i < objects.length; i++) {
          objects[i] = Elements.get(in, i);
        }
        Object[] copied = new Object[(int) to.elementCount()];
        for (long i = 0; i < count; i++) {
          double value = Elements.get(in, fromAt + offset(sizes, strides, i));
          Elements.put(wanted, toAt + offset(sizes, to.strides(), i), value);
        }
        StridedCopy.copy(
            size,
            sizes,
            in.storage().address() + fromAt * size,
            strides,
            out.storage().address() + toAt * size,
            to.strides());
        StridedCopy.copy(sizes, objects, fromAt, strides, copied, toAt, to.strides());
        assertThat(out.toBytes()).isEqualTo(wanted.toBytes());
        for (int i = 0; i < copied.length; i++) {
          assertThat(copied[i] == null ? 0.0 : copied[i]).isEqualTo(Elements.get(wanted, i));
        }
      }
    }
  }

  private static long offset(long[] sizes, long[] strides, long index) {
    long offset = 0;
    for (int i = sizes.length - 1; i >= 0; i--) {
      offset += index % sizes[i] * strides[i];
      index /= sizes[i];
    }
    return offset;
  }
}
