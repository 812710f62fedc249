package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

final class SparseSegmentOpRows {
  private static final int SEGMENTS = 4;
  private static final Shape PAIR = Shape.of(3, 2);

  private SparseSegmentOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        numbered("SparseSegmentSumWithNumSegments")
            .example(SparseSegmentOpRows::small, Tensor.of(PAIR, 0f, 0f, 6f, 8f, 0f, 0f))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16),
        numbered("SparseSegmentMeanWithNumSegments")
            .example(SparseSegmentOpRows::small, Tensor.of(PAIR, 0f, 0f, 3f, 4f, 0f, 0f))
            .types(FLOAT, DOUBLE),
        numbered("SparseSegmentSqrtNWithNumSegments")
            .example(
                SparseSegmentOpRows::small, Tensor.of(PAIR, 0f, 0f, 4.2426405f, 5.656854f, 0f, 0f))
            .types(FLOAT, DOUBLE),
        OpRow.of("SparseSegmentSqrtN")
            .example(
                () -> OpCall.of(matrix(), Tensor.of(2, 0), Tensor.of(0, 0)),
                Tensor.of(Shape.of(1, 2), 4.2426405f, 5.656854f))
            .types(FLOAT, DOUBLE)
            .without(Draw.Size.SCALAR, "there must be rows")
            .draw(SparseSegmentOpRows::picked)
            .shapeDependsOnValues()
            .gradientOf(0),
        OpRow.of("SparseSegmentSqrtNGrad")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1), 2f), Tensor.of(2, 0), Tensor.of(0, 0))
                        .constant(Tensor.scalar(3)),
                Tensor.of(Shape.of(3, 1), 1.4142135f, 0f, 1.4142135f))
            .types(FLOAT, DOUBLE)
            .without(Draw.Size.EMPTY, "a segment without rows has no gradient to send")
            .draw(SparseSegmentOpRows::sent),
        ofRows("SparseSegmentSumGradV2", 2f),
        ofRows("SparseSegmentMeanGradV2", 1f),
        ofRows("SparseSegmentSqrtNGradV2", 1.4142135f));
  }

  private static OpRow ofRows(String op, float value) {
    return OpRow.of(op)
        .example(
            () ->
                OpCall.of(Tensor.of(Shape.of(1, 1), 2f), Tensor.of(2, 0), Tensor.of(0, 0))
                    .constant(Tensor.scalar(3)),
            Tensor.of(Shape.of(2, 1), value, value),
            Tensor.of(0, 2))
        .types(FLOAT, DOUBLE)
        .without(Draw.Size.EMPTY, "a segment without rows has no gradient to send")
        .draw(SparseSegmentOpRows::sent)
        .shapeDependsOnValues();
  }

  /** Gradients of segments, and the rows that they go to. */
  private static OpCall sent(Draw d) {
    int rows = d.integer(1, 5);
    int count = d.integer(1, 6);
    return OpCall.of(
            d.tensor(Shape.of(SEGMENTS, d.integer(1, 3))),
            d.indices(d.oneOf(INT32, INT64), Shape.of(count), 0, rows),
            ids(d, count))
        .constant(Tensor.scalar(rows));
  }

  private static OpRow numbered(String op) {
    return OpRow.of(op)
        .draw(d -> picked(d).constant(ArrayDraws.scalar(d.oneOf(INT32, INT64), d.integer(4, 6))))
        .gradientOf(0);
  }

  private static Tensor matrix() {
    return Tensor.of(PAIR, 1f, 2f, 3f, 4f, 5f, 6f);
  }

  private static OpCall small() {
    return OpCall.of(matrix(), Tensor.of(2, 0), Tensor.of(1, 1)).constant(Tensor.scalar(3));
  }

  private static OpCall picked(Draw d) {
    Shape shape = SparseOpRows.full(d, 1, 3);
    int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 6);
    DataType type = d.oneOf(INT32, INT64);
    return OpCall.of(
        d.tensor(shape), d.indices(type, Shape.of(count), 0, (int) shape.size(0)), ids(d, count));
  }

  /** Ascending numbers below {@link #SEGMENTS}, of which some may be left out. */
  private static Tensor ids(Draw d, int count) {
    long[] ids = new long[count];
    Arrays.setAll(ids, i -> d.integer(0, SEGMENTS - 1));
    Arrays.sort(ids);
    return ArrayDraws.vector(d.oneOf(INT32, INT64), ids);
  }
}
