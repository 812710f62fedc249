package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the array ops say to wrong values when the graph runs: inputs are fed, so that shape rules
 * know nothing.
 */
class ArrayErrorsTest {
  private final Ops tf = Ops.create();

  @Test
  void gather_indexTooLarge_namesPlaceAndRange() {
    Tensor indices = Tensor.of(Shape.of(1, 3), 0, 4, 7);

    assertThat(message("Gather", Tensor.of(1f, 2f, 3f, 4f, 5f), indices))
        .contains("indices[0,2] = 7 is not in [0, 5)");
  }

  @Test
  void gather_negativeScalarIndex_namesRange() {
    assertThat(message("GatherV2", Tensor.of(1f, 2f), Tensor.scalar(-1), Tensor.scalar(0)))
        .contains("indices = -1 is not in [0, 2)");
  }

  @Test
  void gatherNd_indexTooLarge_namesVectorAndShape() {
    Tensor params = Tensor.of(Shape.of(1, 2), 1f, 2f);

    assertThat(message("GatherNd", params, Tensor.of(Shape.of(2, 2), 0, 1, 0, 2)))
        .contains("indices[1] = [0, 2] does not index into param shape [1,2]");
  }

  @Test
  void scatterNd_negativeIndex_namesVectorAndShape() {
    assertThat(message("ScatterNd", Tensor.of(Shape.of(1, 1), -1), Tensor.of(1f), Tensor.of(3)))
        .contains("indices[0] = [-1] does not index into shape [3]");
  }

  @Test
  void reshape_toSizesThatOverflow_isTheCallersFault() {
    Tensor sizes = Tensor.of(1L << 32, 1L << 32, -1L);

    assertThat(message("Reshape", Tensor.of(1f, 2f), sizes))
        .contains("sizes [4294967296, 4294967296, -1] are of more than 2^63 elements");
  }

  @Test
  void transpose_repeatedDimension_isRefused() {
    Tensor matrix = Tensor.of(Shape.of(1, 2), 1f, 2f);

    assertThat(message("Transpose", matrix, Tensor.of(1, 1))).contains("1 is duplicated");
  }

  @Test
  void transpose_dimensionTooLarge_isRefused() {
    Tensor matrix = Tensor.of(Shape.of(1, 2), 1f, 2f);

    assertThat(message("Transpose", matrix, Tensor.of(0, 2)))
        .contains("2 is out of range [0 .. 2)");
  }

  @Test
  void slice_beyondTheEnd_namesTheDimension() {
    assertThat(message("Slice", Tensor.of(1f, 2f, 3f), Tensor.of(2), Tensor.of(2)))
        .contains("Expected size[0] in [0, 1], but got 2");
  }

  @Test
  void stridedSlice_zeroStride_isRefused() {
    assertThat(message("StridedSlice", Tensor.of(1f, 2f), Tensor.of(0), Tensor.of(1), Tensor.of(0)))
        .contains("strides[0] must be non-zero");
  }

  @Test
  void concat_differentSizes_areRefused() {
    Tensor left = Tensor.of(Shape.of(1, 2), 1f, 2f);
    Operation concat =
        tf.scope()
            .operation("ConcatV2")
            .inputList(List.of(fed(DataType.FLOAT), fed(DataType.FLOAT)))
            .input(fed(DataType.INT32))
            .build();

    assertThat(message(concat, left, Tensor.of(Shape.of(1, 3), 1f, 2f, 3f), Tensor.scalar(0)))
        .contains("must agree in all dimensions but 0");
  }

  @Test
  void mirrorPad_widerThanTheTensor_isRefused() {
    Operation pad =
        tf.scope()
            .operation("MirrorPad")
            .input(fed(DataType.FLOAT))
            .input(fed(DataType.INT32))
            .attr("mode", "REFLECT")
            .build();

    assertThat(message(pad, Tensor.of(1f, 2f), Tensor.of(Shape.of(1, 2), 2, 0)))
        .contains("paddings must be less than the dimension size");
  }

  @Test
  void checkNumerics_infinityAndNan_namesBoth() {
    Operation check = tf.array.checkNumerics(fed(DataType.FLOAT), "loss").operation();

    assertThat(message(check, Tensor.of(1f, Float.NEGATIVE_INFINITY, Float.NaN)))
        .contains("loss : Tensor had Inf and NaN values");
  }

  @Test
  void checkNumerics_halfNan_namesIt() {
    Operation check = tf.array.checkNumerics(fed(DataType.HALF), "loss").operation();

    assertThat(message(check, Tensor.of(DataType.HALF, Shape.of(1), (short) 0xfe00)))
        .contains("loss : Tensor had NaN values");
  }

  @Test
  void preventGradient_gradientAskedFor_fails() {
    Output x = fed(DataType.FLOAT);
    Output y = tf.array.preventGradient(x, "no way back");
    TributaryException refusal =
        catchThrowableOfType(
            () -> Gradients.of(tf, List.of(y), List.of(x)), TributaryException.class);

    assertThat(refusal.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
    assertThat(refusal).hasMessageContaining("no way back");
  }

  private Output fed(DataType type) {
    return tf.placeholder(type, Shape.unknown());
  }

  /** What an operation on fed inputs says to these values. */
  private String message(String op, Tensor... inputs) {
    OperationBuilder builder = tf.scope().operation(op);
    for (Tensor input : inputs) {
      builder.input(fed(input.type()));
    }
    return message(builder.build(), inputs);
  }

  private String message(Operation operation, Tensor... inputs) {
    try (Session session = Session.local(tf.graph())) {
      StepRunner runner = session.runner();
      for (int i = 0; i < inputs.length; i++) {
        runner.feed(operation.input(i), inputs[i]);
      }
      runner.fetch(operation.output(0));
      TributaryException failure =
          catchThrowableOfType(
              () -> {
                try (StepResult result = runner.run()) {
                  throw new AssertionError("it gave " + result);
                }
              },
              TributaryException.class);
      assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      return failure.getMessage();
    } finally {
      List.of(inputs).forEach(Tensor::close);
    }
  }
}
