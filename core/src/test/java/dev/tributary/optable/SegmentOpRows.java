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

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

final class SegmentOpRows {
  private static final DataType[] NUMBERS = {FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16};
  private static final DataType[] ORDERED = {
    FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16
  };

  private SegmentOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        sorted("SegmentSum", NUMBERS)
            .types(ArrayDraws.COMPLEX)
            .example(
                () -> OpCall.of(matrix(), Tensor.of(0, 0, 2)),
                Tensor.of(Shape.of(3, 2), 4f, 6f, 0f, 0f, 5f, 6f))
            .draw(SegmentOpRows::segments),
        sorted("SparseSegmentSum", NUMBERS)
            .example(
                () -> OpCall.of(matrix(), Tensor.of(2, 0), Tensor.of(0, 0)),
                Tensor.of(Shape.of(1, 2), 6f, 8f))
            .draw(SegmentOpRows::picked),
        sorted("SparseSegmentMean", FLOAT, DOUBLE)
            .example(
                () -> OpCall.of(matrix(), Tensor.of(2, 0), Tensor.of(0, 0)),
                Tensor.of(Shape.of(1, 2), 3f, 4f))
            .draw(SegmentOpRows::picked),
        gradient("SparseSegmentSumGrad")
            .example(
                SegmentOpRows::smallGradient, Tensor.of(Shape.of(3, 2), 4f, 6f, 0f, 0f, 4f, 6f)),
        gradient("SparseSegmentMeanGrad")
            .example(
                SegmentOpRows::smallGradient, Tensor.of(Shape.of(3, 2), 2f, 3f, 0f, 0f, 2f, 3f)),
        OpRow.of("UnsortedSegmentSum")
            .example(
                () -> OpCall.of(matrix(), Tensor.of(1, -1, 1)).constant(Tensor.scalar(2)),
                Tensor.of(Shape.of(2, 2), 0f, 0f, 6f, 8f))
            .types(NUMBERS)
            .types(ArrayDraws.COMPLEX)
            .draw(SegmentOpRows::unsorted)
            .gradientOf(0),
        sorted("SegmentMean", NUMBERS)
            .types(ArrayDraws.COMPLEX)
            .example(
                () -> OpCall.of(matrix(), Tensor.of(0, 0, 2)),
                Tensor.of(Shape.of(3, 2), 2f, 3f, 0f, 0f, 5f, 6f))
            .draw(SegmentOpRows::segments),
        sorted("SegmentProd", NUMBERS)
            .withoutComplexGradient("stock does not conjugate the derivative")
            .types(ArrayDraws.COMPLEX)
            .example(
                () -> OpCall.of(matrix(), Tensor.of(0, 0, 2)),
                Tensor.of(Shape.of(3, 2), 3f, 8f, 1f, 1f, 5f, 6f))
            .draw(SegmentOpRows::segments),
        sorted("SegmentMin", ORDERED)
            .example(
                () -> OpCall.of(matrix(), Tensor.of(0, 0, 2)),
                Tensor.of(Shape.of(3, 2), 1f, 2f, 0f, 0f, 5f, 6f))
            .draw(SegmentOpRows::segments),
        sorted("SegmentMax", ORDERED)
            .example(
                () -> OpCall.of(matrix(), Tensor.of(0, 0, 2)),
                Tensor.of(Shape.of(3, 2), 3f, 4f, 0f, 0f, 5f, 6f))
            .draw(SegmentOpRows::segments),
        OpRow.of("UnsortedSegmentProd")
            .withoutComplexGradient("stock does not conjugate the derivative")
            .example(
                () -> OpCall.of(matrix(), Tensor.of(1, -1, 1)).constant(Tensor.scalar(2)),
                Tensor.of(Shape.of(2, 2), 1f, 1f, 5f, 12f))
            .types(NUMBERS)
            .types(ArrayDraws.COMPLEX)
            .draw(SegmentOpRows::unsorted)
            .gradientOf(0),
        extreme("UnsortedSegmentMin")
            .example(
                () -> OpCall.of(matrix(), Tensor.of(1, -1, 1)).constant(Tensor.scalar(2)),
                Tensor.of(Shape.of(2, 2), Float.MAX_VALUE, Float.MAX_VALUE, 1f, 2f)),
        extreme("UnsortedSegmentMax")
            .example(
                () -> OpCall.of(matrix(), Tensor.of(1, -1, 1)).constant(Tensor.scalar(2)),
                Tensor.of(Shape.of(2, 2), -Float.MAX_VALUE, -Float.MAX_VALUE, 5f, 6f)));
  }

  private static OpRow extreme(String op) {
    return OpRow.of(op)
        .types(ORDERED)
        .without(Draw.Size.SCALAR, "each segment has a row")
        .draw(SegmentOpRows::covered)
        .gradientOf(0);
  }

  private static Tensor matrix() {
    return Tensor.of(Shape.of(3, 2), 1f, 2f, 3f, 4f, 5f, 6f);
  }

  private static OpCall smallGradient() {
    return OpCall.of(Tensor.of(Shape.of(1, 2), 4f, 6f), Tensor.of(2, 0), Tensor.of(0, 0))
        .constant(Tensor.scalar(3));
  }

  private static OpRow sorted(String op, DataType... types) {
    return OpRow.of(op)
        .types(types)
        .shapeDependsOnValues()
        .without(Draw.Size.SCALAR, "there must be rows")
        .gradientOf(0);
  }

  private static OpRow gradient(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE)
        .draw(SegmentOpRows::gradientOfPicked)
        .without(Draw.Size.EMPTY, "a segment without rows has no gradient to send")
        .without(Draw.Size.SCALAR, "there must be rows");
  }

  private static OpCall segments(Draw d) {
    Shape shape = d.shape(1, 3);
    return OpCall.of(d.tensor(shape), ids(d, (int) shape.size(0)));
  }

  private static OpCall picked(Draw d) {
    Shape shape = d.shape(1, 3);
    int rows = (int) shape.size(0);
    int count = rows == 0 ? 0 : d.integer(1, 6);
    Tensor indices = d.indices(d.oneOf(INT32, INT64), Shape.of(count), 0, Math.max(1, rows));
    return OpCall.of(d.tensor(shape), indices, ids(d, count));
  }

  private static OpCall gradientOfPicked(Draw d) {
    int rows = d.integer(1, 5);
    int count = d.integer(1, 6);
    Tensor ids = ids(d, count);
    Shape shape = Shape.of(ids.getIndex(count - 1) + 1, d.integer(1, 4));
    return OpCall.of(
            d.tensor(shape), d.indices(d.oneOf(INT32, INT64), Shape.of(count), 0, rows), ids)
        .constant(Tensor.scalar(rows));
  }

  private static OpCall unsorted(Draw d) {
    Shape shape = d.shape(0, 3);
    int segments = d.integer(1, 4);
    Shape ids = shape.slice(0, d.integer(0, shape.rank()));
    return OpCall.of(d.tensor(shape), d.indices(d.oneOf(INT32, INT64), ids, -1, segments))
        .constant(Tensor.scalar(segments));
  }

  /** Each segment has a row: a number as large as an empty one has no slope to be seen. */
  private static OpCall covered(Draw d) {
    int segments = d.type().isFloating() ? d.integer(1, 3) : 5;
    int rows = d.size() == Draw.Size.EMPTY ? 0 : segments + d.integer(0, 3);
    int[] ids = new int[rows];
    Arrays.setAll(
        ids, i -> i < segments && d.type().isFloating() ? i : d.integer(-1, segments - 1));
    return OpCall.of(d.tensor(Shape.of(rows, d.integer(1, 3))), Tensor.of(ids))
        .constant(Tensor.scalar(segments));
  }

  /** Ascending numbers from 0 on, of which some may be left out. */
  private static Tensor ids(Draw d, int count) {
    int[] ids = IntStream.range(0, count).map(i -> d.integer(0, 3)).toArray();
    Arrays.sort(ids);
    return d.flip() ? Tensor.of(ids) : Tensor.of(Arrays.stream(ids).asLongStream().toArray());
  }
}
