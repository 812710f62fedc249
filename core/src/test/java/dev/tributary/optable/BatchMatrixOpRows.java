package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Rows of the old names for batches of matrices, which have the calls of today's names. */
final class BatchMatrixOpRows {
  private static final String WITHDRAWN = "a graph of today's version must not have it";

  private static final Set<String> TODAY =
      Set.of(
          "MatrixDiag",
          "MatrixDiagPart",
          "MatrixSetDiag",
          "Cholesky",
          "CholeskyGrad",
          "MatrixDeterminant",
          "MatrixInverse",
          "MatrixSolve",
          "MatrixTriangularSolve",
          "MatrixSolveLs",
          "SelfAdjointEigV2",
          "Svd");

  private BatchMatrixOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    Stream.of(MatrixOpRows.rows(), DecompositionOpRows.rows(), FactorOpRows.rows())
        .flatMap(List::stream)
        .filter(row -> TODAY.contains(row.op()))
        .map(BatchMatrixOpRows::old)
        .forEach(rows::add);
    rows.add(
        OpRow.of("BatchMatrixBandPart")
            .types(FLOAT, DOUBLE)
            .withoutStock(WITHDRAWN)
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f),
                        Tensor.scalar(0L),
                        Tensor.scalar(-1L)),
                Tensor.of(Shape.of(2, 2), 1f, 2f, 0f, 4f))
            .draw(
                d ->
                    OpCall.of(
                        d.tensor(ArrayDraws.shape(d, 2, 4)),
                        Tensor.scalar((long) d.integer(-1, 0)),
                        Tensor.scalar((long) d.integer(-1, 0)))));
    rows.add(
        OpRow.of("BatchSelfAdjointEig")
            .types(FLOAT, DOUBLE)
            .withoutStock(WITHDRAWN)
            .shapeDependsOnValues()
            .without(Draw.Size.SCALAR, "matrices have two dimensions")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 1), 3f)), Tensor.of(Shape.of(2, 1), 3f, 1f))
            .draw(
                d -> OpCall.of(DecompositionOpRows.symmetric(d, DecompositionOpRows.matrices(d)))));
    return rows;
  }

  private static OpRow old(OpRow today) {
    OpRow row =
        OpRow.of("Batch" + today.op())
            .types(FLOAT, DOUBLE)
            .tolerance(today.tolerance(FLOAT))
            .shapeDependsOnValues()
            .withoutStock(WITHDRAWN);
    today.examples().forEach(e -> row.example(e.call(), e.outputs().toArray(Tensor[]::new)));
    today.generator().ifPresent(row::draw);
    for (Draw.Size size : Draw.Size.values()) {
      if (!today.takes(size)) {
        row.without(size, "as today's name");
      }
    }
    return row;
  }
}
