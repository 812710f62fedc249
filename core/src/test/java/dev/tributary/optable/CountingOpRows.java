package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/** Rows of the ops that count values and search sorted ones. */
final class CountingOpRows {
  private static final DataType[] COUNTS = {INT32, INT64, FLOAT, DOUBLE};

  private CountingOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Bincount")
            .example(
                () ->
                    OpCall.of(Tensor.of(1, 1, 5, 0))
                        .constant(Tensor.scalar(3))
                        .input(Tensor.of(new float[0])),
                Tensor.of(1f, 2f, 0f))
            .example(
                () ->
                    OpCall.of(Tensor.of(1, 1, 0))
                        .constant(Tensor.scalar(2))
                        .input(Tensor.of(0.5f, 2f, 3f)),
                Tensor.of(3f, 2.5f))
            .types(COUNTS)
            .draw(
                d -> {
                  Shape shape = d.shape(0, 3);
                  return OpCall.of(d.indices(INT32, shape, 0, 7))
                      .constant(Tensor.scalar(d.integer(0, 8)))
                      .input(weights(d, shape));
                }),
        OpRow.of("DenseBincount")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 1, 1, 0, 5))
                        .constant(Tensor.scalar(2))
                        .input(Tensor.of(new int[0])),
                Tensor.of(Shape.of(2, 2), 0, 2, 1, 0))
            .example(
                () ->
                    OpCall.of(Tensor.of(1L, 1L, 0L))
                        .constant(Tensor.scalar(3L))
                        .input(Tensor.of(new int[0]))
                        .attr("binary_output", true),
                Tensor.of(1, 1, 0))
            .types(COUNTS)
            .draw(
                d -> {
                  Shape shape = ArrayDraws.shape(d, 1, 2);
                  DataType type = d.oneOf(INT32, INT64);
                  boolean binary = d.flip();
                  Tensor weights = binary ? Tensor.zeros(d.type(), Shape.of(0)) : weights(d, shape);
                  return OpCall.of(d.indices(type, shape, 0, 7))
                      .constant(ArrayDraws.scalar(type, d.integer(0, 8)))
                      .input(weights)
                      .attr("binary_output", binary);
                }),
        OpRow.of("UniqueWithCounts")
            .example(
                () -> OpCall.of(Tensor.of("b", "a", "b", "b")),
                Tensor.of("b", "a"),
                Tensor.of(0, 1, 0, 0),
                Tensor.of(3, 1))
            .types(ArrayDraws.ALL_BUT_COMPLEX)
            .without(Draw.Size.SCALAR, "only vectors have unique elements")
            .draw(
                d ->
                    OpCall.of(
                            d.tensor(Shape.of(d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 60))))
                        .attr("out_idx", d.oneOf(INT32, INT64)))
            .shapeDependsOnValues(),
        bound("LowerBound")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(1, 4), 1f, 2f, 2f, 5f),
                        Tensor.of(Shape.of(1, 3), 2f, 0f, 9f)),
                Tensor.of(Shape.of(1, 3), 1, 0, 4)),
        bound("UpperBound")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(1, 4), 1f, 2f, 2f, 5f),
                        Tensor.of(Shape.of(1, 3), 2f, 0f, 9f)),
                Tensor.of(Shape.of(1, 3), 3, 0, 4)),
        OpRow.of("BoostedTreesBucketize")
            .example(
                () ->
                    OpCall.of(Tensor.of(0f, 3f, 3.5f, 99f), Tensor.of(1f))
                        .input(Tensor.of(1f, 3f, 5f))
                        .input(Tensor.of(new float[0]))
                        .attr("num_features", 2),
                Tensor.of(0, 1, 2, 2),
                Tensor.of(0))
            .types(FLOAT)
            .without(Draw.Size.SCALAR, "features are vectors")
            .draw(
                d ->
                    OpCall.of(d.tensor(TextOpRows.vector(d)), boundaries(d))
                        .attr("num_features", 1))
            .withoutStock("stock 2.18 has no kernel of it any more"));
  }

  private static OpRow bound(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16)
        .without(Draw.Size.SCALAR, "rows are sorted")
        .draw(
            d -> {
              int rows = d.integer(1, 3);
              int values = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 5);
              return OpCall.of(
                      sorted(d, rows, d.integer(0, 8)), integers(d, Shape.of(rows, values)))
                  .attr("out_type", d.oneOf(INT32, INT64));
            });
  }

  /** Rows of ascending numbers. */
  private static Tensor sorted(Draw d, int rows, int columns) {
    long[] values = new long[rows * columns];
    for (int row = 0; row < rows; row++) {
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        values[i] = d.integer(0, 20);
      }
      Arrays.sort(values, row * columns, (row + 1) * columns);
    }
    return cast(Tensor.of(Shape.of(rows, columns), values), d.type());
  }

  private static Tensor boundaries(Draw d) {
    int count = d.integer(0, 6);
    try (Tensor row = sorted(d, 1, count)) {
      return row.withShape(Shape.of(count));
    }
  }

  private static Tensor integers(Draw d, Shape shape) {
    return cast(d.indices(INT64, shape, 0, 21), d.type());
  }

  /** Takes over the tensor. */
  private static Tensor cast(Tensor integers, DataType type) {
    Tensor result = Tensor.allocate(type, integers.shape());
    try (integers) {
      long from = integers.storage().address();
      CastLoop.run(INT64, from, type, result.storage().address(), integers.elementCount());
    }
    return result;
  }

  private static Tensor weights(Draw d, Shape shape) {
    return d.flip() ? Tensor.zeros(d.type(), Shape.of(0)) : d.tensor(shape);
  }
}
