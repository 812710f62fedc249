package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Counts in rows of sparse and ragged tensors, and counts as sparse tensors. */
final class RowCountOpRows {
  private RowCountOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("SparseBincount")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(3, 2), 0L, 0L, 1L, 0L, 1L, 2L), Tensor.of(1, 2, 2))
                        .constant(Tensor.of(2L, 3L))
                        .constant(Tensor.scalar(3))
                        .input(Tensor.of(new float[0])),
                Tensor.of(Shape.of(2, 3), 0f, 1f, 0f, 0f, 0f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .draw(RowCountOpRows::sparseBincount),
        OpRow.of("RaggedBincount")
            .example(
                () ->
                    OpCall.of(Tensor.of(0L, 1L, 3L), Tensor.of(1, 2, 2))
                        .constant(Tensor.scalar(3))
                        .input(Tensor.of(new float[0])),
                Tensor.of(Shape.of(2, 3), 0f, 1f, 0f, 0f, 0f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .draw(RowCountOpRows::raggedBincount),
        OpRow.of("DenseCountSparseOutput")
            .example(
                () ->
                    OpCall.of(Tensor.of(5, 2, 5), Tensor.of(1f, 2f, 3f))
                        .attr("binary_output", false),
                Tensor.of(Shape.of(2, 1), 2L, 5L),
                Tensor.of(2f, 4f),
                Tensor.of(6L))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .without(Draw.Size.SCALAR, "values are a vector or a matrix")
            .draw(RowCountOpRows::countDense)
            .shapeDependsOnValues(),
        OpRow.of("SparseCountSparseOutput")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(3, 2), 0L, 0L, 1L, 0L, 1L, 2L), Tensor.of(1, 2, 2))
                        .constant(Tensor.of(2L, 3L))
                        .input(Tensor.of(new float[0]))
                        .attr("binary_output", false),
                Tensor.of(Shape.of(2, 2), 0L, 1L, 1L, 2L),
                Tensor.of(1f, 2f),
                Tensor.of(2L, 3L))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .without(Draw.Size.SCALAR, "values are a vector")
            .draw(RowCountOpRows::countSparse)
            .shapeDependsOnValues(),
        OpRow.of("RaggedCountSparseOutput")
            .example(
                () ->
                    OpCall.of(Tensor.of(0L, 1L, 3L), Tensor.of(1, 2, 2), Tensor.of(new float[0]))
                        .attr("binary_output", false),
                Tensor.of(Shape.of(2, 2), 0L, 1L, 1L, 2L),
                Tensor.of(1f, 2f),
                Tensor.of(2L, 3L))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .without(Draw.Size.SCALAR, "values are a vector")
            .draw(RowCountOpRows::countRagged)
            .shapeDependsOnValues());
  }

  private static Tensor weights(Draw d, Shape shape) {
    return d.tensor(d.flip() ? Shape.of(0) : shape);
  }

  private static OpCall sparseBincount(Draw d) {
    SparseDraw sparse = sparse(d);
    boolean binary = d.flip();
    DataType type = ArrayDraws.indexType(d);
    Shape count = Shape.of(sparse.places().length);
    OpCall call =
        OpCall.of(sparse.indices(), d.indices(type, count, 0, 9)).constant(sparse.sizes());
    return call.constant(ArrayDraws.scalar(type, d.integer(1, 8)))
        .input(weights(d, count))
        .attr("binary_output", binary);
  }

  private static SparseDraw sparse(Draw d) {
    // Stock refuses matrices without rows.
    int width = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 5);
    return SparseDraw.of(d, d.flip() ? Shape.of(d.integer(1, 4), width) : Shape.of(2L * width));
  }

  private static Tensor splits(Draw d, int count) {
    int rows = d.integer(1, 4);
    long[] splits = new long[rows + 1];
    for (int i = 1; i < rows; i++) {
      splits[i] = d.integer((int) splits[i - 1], count);
    }
    splits[rows] = count;
    return Tensor.of(splits);
  }

  private static OpCall raggedBincount(Draw d) {
    int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 9);
    DataType type = ArrayDraws.indexType(d);
    return OpCall.of(splits(d, count), d.indices(type, Shape.of(count), 0, 9))
        .constant(ArrayDraws.scalar(type, d.integer(1, 8)))
        .input(weights(d, Shape.of(count)))
        .attr("binary_output", d.flip());
  }

  private static OpCall countDense(Draw d) {
    Shape shape = d.size() == Draw.Size.EMPTY ? Shape.of(d.integer(1, 3), 0) : d.shape(1, 2);
    return limits(d, OpCall.of(d.indices(ArrayDraws.indexType(d), shape, 0, 9), weights(d, shape)));
  }

  private static OpCall countSparse(Draw d) {
    SparseDraw sparse = sparse(d);
    Shape count = Shape.of(sparse.places().length);
    return limits(
        d,
        OpCall.of(sparse.indices(), d.indices(ArrayDraws.indexType(d), count, 0, 9))
            .constant(sparse.sizes())
            .input(weights(d, count)));
  }

  private static OpCall countRagged(Draw d) {
    int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 9);
    return limits(
        d,
        OpCall.of(
            splits(d, count),
            d.indices(ArrayDraws.indexType(d), Shape.of(count), 0, 9),
            weights(d, Shape.of(count))));
  }

  private static OpCall limits(Draw d, OpCall call) {
    return call.attr("minlength", d.oneOf(-1, 0, 3, 12))
        .attr("maxlength", d.oneOf(-1, -1, 5, 12))
        .attr("binary_output", d.flip());
  }
}
