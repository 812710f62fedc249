package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;

import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Inverses, determinants, solutions and decompositions. */
final class DecompositionOpRows {
  private static final String MATRICES = "matrices have two dimensions";

  private DecompositionOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("MatrixInverse")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 2f, 1f, 0f, 4f)),
                Tensor.of(Shape.of(2, 2), 0.5f, -0.125f, 0f, 0.25f))
            .without(Draw.Size.SCALAR, MATRICES)
            .draw(d -> OpCall.of(dominant(d, matrices(d))).attr("adjoint", d.flip()))
            .gradientOf(0),
        row("MatrixDeterminant")
            .example(() -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f)), Tensor.scalar(-2f))
            .draw(d -> OpCall.of(dominant(d, matrices(d))))
            .gradientOf(0),
        row("LogMatrixDeterminant")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 2, 2), 1f, 2f, 3f, 4f)),
                Tensor.of(-1f),
                Tensor.of(0.6931472f))
            .draw(d -> OpCall.of(dominant(d, matrices(d))))
            .gradientOf(0)
            .gradientFrom(1),
        row("MatrixSolve")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 2), 2f, 1f, 0f, 4f),
                        Tensor.of(Shape.of(2, 1), 4f, 8f)),
                Tensor.of(Shape.of(2, 1), 1f, 2f))
            .without(Draw.Size.SCALAR, MATRICES)
            .draw(d -> solve(d).attr("adjoint", d.flip()))
            .gradientOf(0, 1),
        row("MatrixTriangularSolve")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(2, 2), 2f, 1f, 9f, 4f),
                            Tensor.of(Shape.of(2, 1), 4f, 8f))
                        .attr("lower", false),
                Tensor.of(Shape.of(2, 1), 1f, 2f))
            .without(Draw.Size.SCALAR, MATRICES)
            .draw(d -> solve(d).attr("adjoint", d.flip()).attr("lower", d.flip()))
            .gradientOf(0, 1),
        row("Cholesky")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 4f, 2f, 2f, 5f)),
                Tensor.of(Shape.of(2, 2), 2f, 0f, 1f, 2f))
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 2f, 1f)),
                Tensor.of(Shape.of(2, 2), Float.NaN, 0f, Float.NaN, Float.NaN))
            .without(Draw.Size.SCALAR, MATRICES)
            .draw(d -> OpCall.of(symmetric(d, matrices(d))))
            .withoutGradientCheck(
                "only the lower triangle is read, but both get a gradient; LinalgGradientsTest"),
        row("CholeskyGrad")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 1), 2f), Tensor.of(Shape.of(1, 1), 8f)),
                Tensor.of(Shape.of(1, 1), 2f))
            .without(Draw.Size.SCALAR, MATRICES)
            .draw(
                d -> {
                  Shape shape = matrices(d);
                  return OpCall.of(dominant(d, shape), d.tensor(shape));
                }),
        row("MatrixSolveLs")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(2, 1), 1f, 1f),
                        Tensor.of(Shape.of(2, 1), 1f, 3f),
                        Tensor.scalar(0.0)),
                Tensor.of(Shape.of(1, 1), 2f))
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 2), 1f, 1f),
                            Tensor.of(Shape.of(1, 1), 6f),
                            Tensor.scalar(5.0))
                        .attr("fast", false),
                Tensor.of(Shape.of(2, 1), 3f, 3f))
            .draw(DecompositionOpRows::leastSquares)
            .gradientOf(0, 1),
        row("MatrixSquareRoot")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 4f, 1f, 0f, 9f)),
                Tensor.of(Shape.of(2, 2), 2f, 0.2f, 0f, 3f))
            .without(Draw.Size.SCALAR, MATRICES)
            .draw(d -> OpCall.of(symmetric(d, matrices(d))))
            .gradientOf(0),
        row("MatrixExponential")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 0f, 3f, 0f, 0f)),
                Tensor.of(Shape.of(2, 2), 1f, 3f, 0f, 1f))
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 0f, 0f, 0f, 10f)),
                Tensor.of(Shape.of(2, 2), 1f, 0f, 0f, 22026.466f))
            .without(Draw.Size.SCALAR, MATRICES)
            .types(ArrayDraws.COMPLEX)
            .draw(d -> OpCall.of(d.tensor(matrices(d)))),
        OpRow.of("MatrixLogarithm")
            .types(ArrayDraws.COMPLEX)
            .tolerance(1e-4)
            .example(
                () -> OpCall.of(Tensor.ofComplex(Shape.of(2, 2), 1f, 0f, 0f, 3f, 0f, 0f, 1f, 0f)),
                Tensor.ofComplex(Shape.of(2, 2), 0f, 0f, 0f, 3f, 0f, 0f, 0f, 0f))
            .example(
                () -> OpCall.of(Tensor.ofComplex(Shape.of(1, 1), 0f, 22026.466f)),
                Tensor.ofComplex(Shape.of(1, 1), 10f, 1.5707964f))
            .without(Draw.Size.SCALAR, MATRICES)
            .draw(d -> OpCall.of(withinReach(d, matrices(d)))));
  }

  /** Complex matrices with no eigenvalue near the numbers that have no logarithm. */
  private static Tensor withinReach(Draw d, Shape shape) {
    Tensor matrices = d.tensor(shape);
    Tensor parts = matrices.bitcast(matrices.type().realType(), shape.concatenate(Shape.of(2)));
    int size = (int) shape.size(-1);
    for (long i = 0; i < matrices.elementCount(); i++) {
      if (i / size % size == i % size) {
        Reals.put(parts, 2 * i, 12 + Reals.at(parts, 2 * i));
      }
    }
    parts.close();
    return matrices;
  }

  private static OpRow row(String op) {
    return OpRow.of(op).types(FLOAT, DOUBLE).tolerance(1e-4);
  }

  static Shape matrices(Draw d) {
    int size = d.integer(1, 4);
    Shape batch =
        d.size() == Draw.Size.EMPTY
            ? Shape.of(0)
            : d.size() == Draw.Size.SCALAR || d.flip() ? Shape.scalar() : Shape.of(2);
    return batch.concatenate(Shape.of(size, size));
  }

  private static OpCall solve(Draw d) {
    Shape shape = matrices(d);
    Shape right = shape.withSize(shape.rank() - 1, d.integer(1, 3));
    return OpCall.of(dominant(d, shape), d.tensor(right));
  }

  /** Matrices with more rows than columns, or the other way round, and independent ones. */
  private static OpCall leastSquares(Draw d) {
    Shape square = matrices(d);
    int last = square.rank() - 1;
    long size = square.size(-1);
    boolean deep = d.flip();
    Shape shape = square.withSize(deep ? last - 1 : last, size + d.integer(0, 2));
    Tensor matrix = d.tensor(shape);
    for (long i = 0; i < matrix.elementCount(); i++) {
      long row = i / shape.size(-1) % shape.size(-2);
      if (row == i % shape.size(-1)) {
        Reals.put(matrix, i, 4 + Reals.at(matrix, i));
      }
    }
    Tensor right = d.tensor(shape.withSize(last, d.integer(1, 3)));
    return OpCall.of(matrix, right, Tensor.scalar(d.integer(0, 2) / 2.0));
  }

  /** Matrices whose diagonals outweigh the rest, so that they have good inverses. */
  private static Tensor dominant(Draw d, Shape shape) {
    double[] values = new double[(int) shape.elementCount()];
    int size = (int) shape.size(-1);
    for (int i = 0; i < values.length; i++) {
      boolean diagonal = i / size % size == i % size;
      values[i] =
          diagonal ? (d.flip() ? 4 : -5) + d.random().nextDouble() : d.random().nextDouble();
    }
    return tensor(d, shape, values);
  }

  static Tensor symmetric(Draw d, Shape shape) {
    double[] values = new double[(int) shape.elementCount()];
    int size = (int) shape.size(-1);
    for (int i = 0; i < values.length; i++) {
      int row = i / size % size;
      int column = i % size;
      if (column <= row) {
        // The same place on the other side of the diagonal.
        int mirrored = i + (column - row) * size + row - column;
        values[i] = row == column ? 5 : d.random().nextDouble();
        values[mirrored] = values[i];
      }
    }
    return tensor(d, shape, values);
  }

  private static Tensor tensor(Draw d, Shape shape, double[] values) {
    if (d.type() == DOUBLE) {
      return Tensor.of(shape, values);
    }
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return Tensor.of(shape, floats);
  }
}
