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

class BinaryLoopTest {
  private static final BinaryLoop MIX =
      BinaryLoop.of()
          .floats((x, y) -> 3 * x + y)
          .doubles((x, y) -> 3 * x + y)
          .ints((x, y) -> 3 * x + y)
          .longs((x, y) -> 3 * x + y);
  private static final BinaryLoop LESS =
      BinaryLoop.of()
          .compareFloats((x, y) -> x < y)
          .compareDoubles((x, y) -> x < y)
          .compareInts((x, y) -> x < y)
          .compareLongs((x, y) -> x < y)
          .booleans((x, y) -> !x & y);
  private static final BinaryLoop AND_NOT = BinaryLoop.of().booleans((x, y) -> x & !y);

  static Stream<Arguments> shapes() {
    return Stream.of(
        pair(Shape.scalar(), Shape.scalar()),
        pair(Shape.of(0), Shape.of(1)),
        pair(Shape.of(3, 0), Shape.of(3, 1)),
        pair(Shape.of(5), Shape.of(5)),
        pair(Shape.of(1501), Shape.of(1501)),
        pair(Shape.of(1501), Shape.scalar()),
        pair(Shape.of(1), Shape.of(37, 41)),
        pair(Shape.of(7, 3), Shape.of(3)),
        pair(Shape.of(301, 7), Shape.of(7)),
        pair(Shape.of(7), Shape.of(301, 7)),
        pair(Shape.of(5, 400), Shape.of(400)),
        pair(Shape.of(3, 1300), Shape.of(1300)),
        pair(Shape.of(301, 7), Shape.of(301, 1)),
        pair(Shape.of(3, 1300), Shape.of(3, 1)),
        pair(Shape.of(1, 45), Shape.of(33, 1)),
        pair(Shape.of(4, 1, 5, 1), Shape.of(3, 1, 7)),
        pair(Shape.of(2, 3, 1, 4, 1, 6), Shape.of(2, 1, 5, 4, 3, 1)),
        pair(Shape.of(2, 1, 2, 1, 2, 1), Shape.of(1, 3, 1, 3, 1, 3)),
        pair(Shape.of(2, 1, 700), Shape.of(3, 1)));
  }

  private static Arguments pair(Shape left, Shape right) {
    return Arguments.of(left, right);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void run_everyType_equalsThePlainLoop(Shape left, Shape right) {
    Broadcast walk = Broadcast.of(left, right);
    for (DataType type : Elements.ARITHMETIC) {
      try (Tensor x = Elements.small(type, left, 20, 1);
          Tensor y = Elements.small(type, right, 20, 2);
          Tensor mixed = Tensor.zeros(type, walk.result());
          Tensor less = Tensor.zeros(DataType.BOOL, walk.result())) {
        MIX.run(
            type, x.storage().address(), y.storage().address(), mixed.storage().address(), walk);
        LESS.run(
            type, x.storage().address(), y.storage().address(), less.storage().address(), walk);
        for (long i = 0; i < mixed.elementCount(); i++) {
          double a = Elements.get(x, Elements.broadcastIndex(left, walk.result(), i));
          double b = Elements.get(y, Elements.broadcastIndex(right, walk.result(), i));
          assertThat(Elements.get(mixed, i)).as("%s %d", type, i).isEqualTo(3 * a + b);
          assertThat(less.getBoolean(i)).as("%s %d", type, i).isEqualTo(a < b);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void run_booleans_equalsThePlainLoop(Shape left, Shape right) {
    Broadcast walk = Broadcast.of(left, right);
    try (Tensor x = Elements.small(DataType.BOOL, left, 1, 1);
        Tensor y = Elements.small(DataType.BOOL, right, 1, 2);
        Tensor out = Tensor.zeros(DataType.BOOL, walk.result())) {
      AND_NOT.run(
          DataType.BOOL,
          x.storage().address(),
          y.storage().address(),
          out.storage().address(),
          walk);
      for (long i = 0; i < out.elementCount(); i++) {
        boolean a = x.getBoolean(Elements.broadcastIndex(left, walk.result(), i));
        boolean b = y.getBoolean(Elements.broadcastIndex(right, walk.result(), i));
        assertThat(out.getBoolean(i)).isEqualTo(a && !b);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void run_intoAnOperandOfTheResultsShape_givesTheSame(Shape left, Shape right) {
    Broadcast walk = Broadcast.of(left, right);
    for (DataType type : Elements.ARITHMETIC) {
      try (Tensor x = Elements.small(type, left, 20, 1);
          Tensor y = Elements.small(type, right, 20, 2);
          Tensor wanted = Tensor.zeros(type, walk.result())) {
        MIX.run(
            type, x.storage().address(), y.storage().address(), wanted.storage().address(), walk);
        Tensor target = left.equals(walk.result()) ? x : right.equals(walk.result()) ? y : wanted;
        if (target != wanted) {
          MIX.run(
              type, x.storage().address(), y.storage().address(), target.storage().address(), walk);
        }
        assertThat(target.toBytes()).isEqualTo(wanted.toBytes());
      }
    }
  }

  @Test
  void resultType_ofComparisons_isBool() {
    assertThat(LESS.resultType(DataType.HALF)).isEqualTo(DataType.BOOL);
    assertThat(MIX.resultType(DataType.HALF)).isEqualTo(DataType.HALF);
    assertThat(LESS.supports(DataType.BOOL)).isTrue();
    assertThat(MIX.supports(DataType.BOOL)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void select_everySize_equalsThePlainLoop(Shape left, Shape right) {
    Broadcast walk = Broadcast.of(right, left, right);
    for (DataType type : Elements.ARITHMETIC) {
      try (Tensor condition = Elements.small(DataType.BOOL, right, 1, 3);
          Tensor then = Elements.small(type, left, 100, 1);
          Tensor otherwise = Elements.small(type, right, 100, 2);
          Tensor out = Tensor.zeros(type, walk.result())) {
        SelectLoop.run(
            type,
            condition.storage().address(),
            then.storage().address(),
            otherwise.storage().address(),
            out.storage().address(),
            walk);
        for (long i = 0; i < out.elementCount(); i++) {
          long r = Elements.broadcastIndex(right, walk.result(), i);
          long l = Elements.broadcastIndex(left, walk.result(), i);
          double wanted =
              condition.getBoolean(r) ? Elements.get(then, l) : Elements.get(otherwise, r);
          assertThat(Elements.get(out, i)).isEqualTo(wanted);
        }
      }
    }
  }

  @Test
  void select_objects_areBroadcast() {
    Broadcast walk = Broadcast.of(Shape.of(2, 1), Shape.of(3), Shape.scalar());
    Object[] out = new Object[6];
    try (Tensor condition = Tensor.of(true, false)) {
      SelectLoop.run(
          condition.storage().address(),
          new Object[] {"a", "b", "c"},
          new Object[] {"z"},
          out,
          walk);
    }
    assertThat(out).containsExactly("a", "b", "c", "z", "z", "z");
  }
}
