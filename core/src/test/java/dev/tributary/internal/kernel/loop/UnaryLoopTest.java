package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnaryLoopTest {
  private static final UnaryLoop TWICE_PLUS_ONE =
      UnaryLoop.of()
          .floats(x -> 2 * x + 1)
          .doubles(x -> 2 * x + 1)
          .ints(x -> 2 * x + 1)
          .longs(x -> 2 * x + 1);
  private static final UnaryLoop IS_NAN =
      UnaryLoop.of().testFloats(x -> x != x).testDoubles(x -> x != x);
  private static final UnaryLoop NOT = UnaryLoop.of().booleans(x -> !x);

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 3, 64, 65, 511, 512, 513, 2000})
  void run_everyType_appliesTheFunctionInPlaceAndElsewhere(long count) {
    for (DataType type : Elements.ARITHMETIC) {
      try (Tensor in = Elements.small(type, Shape.of(count), 50, count);
          Tensor out = Tensor.zeros(type, Shape.of(count))) {
        TWICE_PLUS_ONE.run(type, in.storage().address(), out.storage().address(), count);
        for (long i = 0; i < count; i++) {
          assertThat(Elements.get(out, i))
              .as("%s %d", type, i)
              .isEqualTo(2 * Elements.get(in, i) + 1);
        }
        TWICE_PLUS_ONE.run(type, in.storage().address(), in.storage().address(), count);
        assertThat(in.toBytes()).isEqualTo(out.toBytes());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 1000})
  void run_narrowIntegers_wrapAround(long count) {
    try (Tensor in = Elements.fill(DataType.UINT8, Shape.of(count), i -> 200)) {
      TWICE_PLUS_ONE.run(DataType.UINT8, in.storage().address(), in.storage().address(), count);
      assertThat(Elements.get(in, count - 1)).isEqualTo(401 - 256);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 1000})
  void run_tests_giveBooleans(long count) {
    for (DataType type :
        new DataType[] {DataType.FLOAT, DataType.DOUBLE, DataType.HALF, DataType.BFLOAT16}) {
      try (Tensor in = Elements.fill(type, Shape.of(count), i -> i % 3 == 0 ? Double.NaN : i % 7);
          Tensor out = Tensor.zeros(IS_NAN.resultType(type), Shape.of(count))) {
        IS_NAN.run(type, in.storage().address(), out.storage().address(), count);
        for (long i = 0; i < count; i++) {
          assertThat(out.getBoolean(i)).isEqualTo(i % 3 == 0);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 1000})
  void run_booleans_areNegated(long count) {
    try (Tensor in = Elements.fill(DataType.BOOL, Shape.of(count), i -> i % 3 == 0 ? 1 : 0)) {
      NOT.run(DataType.BOOL, in.storage().address(), in.storage().address(), count);
      for (long i = 0; i < count; i++) {
        assertThat(in.getBoolean(i)).isEqualTo(i % 3 != 0);
      }
    }
  }

  @Test
  void run_typeWithoutFunction_saysWhatThereIs() {
    assertThat(NOT.supports(DataType.FLOAT)).isFalse();
    assertThat(TWICE_PLUS_ONE.supports(DataType.INT8)).isTrue();
    assertThat(TWICE_PLUS_ONE.supports(DataType.STRING)).isFalse();
    assertThatThrownBy(() -> NOT.run(DataType.FLOAT, 0, 0, 0))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("no loop for float")
        .hasMessageContaining("BOOLEAN");
  }
}
