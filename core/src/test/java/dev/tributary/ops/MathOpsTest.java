package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What the op table does not ask: failures, values known while the graph is built, and unusual
 * numbers.
 */
class MathOpsTest {
  private final Ops tf = Ops.create();

  @Test
  void division_ofIntegersByZero_isInvalidArgument() {
    Output zero = tf.constant(1, 0);

    for (Output quotient :
        new Output[] {
          tf.div(tf.constant(7), zero),
          tf.math.floorDiv(tf.constant(7), zero),
          tf.math.truncateDiv(tf.constant(7), zero),
          tf.math.mod(tf.constant(7), zero),
          tf.math.floorMod(tf.constant(7), zero)
        }) {
      assertInvalidArgument(() -> run(quotient), "Integer division by zero");
    }
  }

  @Test
  void power_ofIntegerWithNegativeExponent_isInvalidArgument() {
    Output power = tf.pow(tf.constant(2, 1), tf.constant(3, -1));

    assertInvalidArgument(() -> run(power), "Integers to negative integer powers are not allowed");
  }

  @Test
  void power_ofOne_isOneForAnyExponent() {
    Output exponents = tf.constant(Float.NaN, Float.POSITIVE_INFINITY, 0.5f);

    try (Tensor powers = run(tf.pow(tf.constant(1f), exponents))) {
      assertThat(powers.toFloats()).containsExactly(1f, 1f, 1f);
    }
  }

  @Test
  void extremum_withNotANumber_isNotANumber() {
    Output x = tf.constant(1f, Float.NaN, 3f);

    try (Tensor max = run(tf.max(x));
        Tensor min = run(tf.min(x))) {
      assertThat(max.floatValue()).isNaN();
      assertThat(min.floatValue()).isNaN();
    }
  }

  @Test
  void function_withoutLoopForType_isUnimplementedAndNamesTypes() {
    Output inverse = tf.math.reciprocal(tf.constant(1, 2));

    assertThatThrownBy(() -> run(inverse))
        .isInstanceOfSatisfying(
            TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNIMPLEMENTED))
        .hasMessageContaining(
            "no kernel for type int32; supported: [float, double, complex64, bfloat16, complex128,"
                + " half]");
  }

  @Test
  void shapes_thatDoNotBroadcast_areRefused() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(2, 3));
    Output y = tf.placeholder(DataType.FLOAT, Shape.of(2));

    assertInvalidArgument(() -> tf.add(x, y), "Incompatible shapes: [2,3] vs. [2]");
  }

  @Test
  void product_ofMatricesWithDifferentInnerSizes_isRefusedWithBothShapes() {
    Output a = tf.placeholder(DataType.FLOAT, Shape.of(32, 784));
    Output b = tf.placeholder(DataType.FLOAT, Shape.of(100, 10));

    assertInvalidArgument(() -> tf.matMul(a, b), "inner sizes differ, [32,784] x [100,10]");
    assertInvalidArgument(
        () -> tf.linalg.batchMatMul(a, b, true, false),
        "inner sizes differ, [32,784]^T x [100,10]");
  }

  @Test
  void product_ofFedMatricesWithDifferentInnerSizes_isRefusedWhenItRuns() {
    Output a = tf.placeholder(DataType.FLOAT, Shape.unknown());
    Output product = tf.matMul(a, a);

    try (Session session = Session.local(tf.graph());
        Tensor value = Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f)) {
      assertInvalidArgument(
          () -> session.runner().feed(a, value).fetch(product).run(),
          "inner sizes differ, [2,3] x [2,3]");
    }
  }

  @Test
  void sizes_computedWith_areKnownWhileGraphIsBuilt() {
    Output shape = tf.shape(tf.placeholder(DataType.FLOAT, Shape.of(4, -1, 6)));

    Output halved = tf.math.floorDiv(tf.add(shape, tf.constant(2, 0, 0)), tf.constant(2));

    assertThat(known(halved)).containsExactly(3, KnownValue.UNKNOWN, 3);
    assertThat(known(tf.cast(halved, DataType.INT64))).containsExactly(3, KnownValue.UNKNOWN, 3);
    assertThat(known(tf.prod(tf.constant(2, 3, 4), 0))).containsExactly(24);
    assertThat(known(tf.range(tf.constant(1), tf.constant(7), tf.constant(2))))
        .containsExactly(1, 3, 5);
  }

  @Test
  void cast_betweenRealTypes_letsGradientThrough() {
    Output x = tf.constant(1f, 2f);
    Output wide = tf.cast(x, DataType.DOUBLE);

    Output back = (Output) MathGradients.cast(tf, wide.operation(), wide).get(0);

    assertThat(back.type()).isEqualTo(DataType.FLOAT);
    assertThat(back.operation().type()).isEqualTo("Cast");
  }

  @Test
  void cast_toIntegers_letsNoGradientThrough() {
    Output whole = tf.cast(tf.constant(1f, 2f), DataType.INT32);

    assertThat(MathGradients.cast(tf, whole.operation(), whole).get(0))
        .isNotInstanceOf(Output.class);
  }

  @Test
  void cast_truncating_cutsTowardsZero() {
    Output narrow =
        tf.scope()
            .operation("Cast")
            .input(tf.constant(1.00000019, -3.14159265358979))
            .attr("DstT", DataType.FLOAT)
            .attr("Truncate", true)
            .buildOutput();

    try (Tensor values = run(narrow)) {
      assertThat(values.toFloats()).containsExactly(1.0000001f, -3.1415925f);
    }
  }

  private static long[] known(Output output) {
    return output.operation().knownValue().orElseThrow().elements();
  }

  private Tensor run(Output output) {
    try (Session session = Session.local(tf.graph());
        StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).retain();
    }
  }

  private static void assertInvalidArgument(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining(message);
  }
}
