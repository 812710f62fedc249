package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.BandKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Products and solutions of matrices that are given by their diagonals. */
abstract sealed class BandOps extends FactorOps permits DecompositionOps {
  private static final String TRIDIAGONAL = "T: {double, float, complex64, complex128}";

  BandOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("BandedTriangularSolve")
            .input("matrix: T")
            .input("rhs: T")
            .output("output: T")
            .attr("lower: bool = true")
            .attr("adjoint: bool = false")
            .attr("T: {double, float, half, complex64, complex128}")
            .flag(OpFlag.EXPENSIVE)
            .shape(BandOps::solutionShape)
            .kernel(BandKernels::triangularSolve)
            .grad(BandOps::bandedGradient),
        op("TridiagonalMatMul")
            .input("superdiag: T")
            .input("maindiag: T")
            .input("subdiag: T")
            .input("rhs: T")
            .output("output: T")
            .attr(TRIDIAGONAL)
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, c.withRankAtLeast(3, 2)))
            .kernel(BandKernels::tridiagonalProduct)
            .grad(BandOps::productGradient),
        op("TridiagonalSolve")
            .input("diagonals: T")
            .input("rhs: T")
            .output("output: T")
            .attr("partial_pivoting: bool = true")
            .attr("perturb_singular: bool = false")
            .attr(TRIDIAGONAL)
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, c.withRankAtLeast(1, 2)))
            .kernel(BandKernels::tridiagonalSolve)
            .grad(BandOps::solveGradient));
  }

  private static void solutionShape(InferenceContext context) {
    Shape bands = context.withRankAtLeast(0, 2);
    Shape right = context.withRankAtLeast(1, 2);
    if (bands.hasRank() && right.hasRank()) {
      Shape rows = bands.slice(bands.rank() - 1, bands.rank());
      Shape rightRows = right.slice(right.rank() - 2, right.rank() - 1);
      if (!rows.isCompatibleWith(rightRows)) {
        throw TributaryException.invalidArgument(
            "Bands and rhs are incompatible: shapes %s and %s", bands, right);
      }
      context.output(
          0,
          Broadcast.shape(DecompositionOps.batch(bands), DecompositionOps.batch(right))
              .concatenate(rows.merge(rightRows))
              .concatenate(right.slice(right.rank() - 1, right.rank())));
    }
  }

  private static List<Output> bandedGradient(Ops tf, Operation op, Output dy) {
    boolean adjoint = op.attributes().bool("adjoint");
    boolean lower = op.attributes().bool("lower");
    Output bands = op.input(0);
    Output ofRight = tf.linalg.bandedTriangularSolve(bands, dy, lower, !adjoint);
    Output ofMatrix = DecompositionOps.ofMatrix(tf, op, ofRight, adjoint);
    Output zero = tf.constant(0);
    Output last = tf.sub(tf.array.at(tf.shape(bands), -2), tf.constant(1));
    Output range = lower ? tf.stack(tf.neg(last), zero) : tf.stack(zero, last);
    Output ofBands =
        tf.scope()
            .operation("MatrixDiagPartV3")
            .input(ofMatrix)
            .input(range)
            .input(tf.constant(bands.type(), 0))
            .attr("align", "LEFT_RIGHT")
            .buildOutput();
    // A single diagonal comes out as a vector rather than as a row.
    Output rows = tf.add(last, tf.constant(1));
    Output sizes = tf.stack(rows, tf.array.at(tf.shape(bands), -1));
    Output shape = tf.concat(0, FactorGradients.batchShape(tf, ofRight), sizes);
    return List.of(
        BroadcastGradients.reduce(tf, bands, tf.reshape(ofBands, shape)),
        BroadcastGradients.reduce(tf, op.input(1), ofRight));
  }

  private static List<Output> productGradient(Ops tf, Operation op, Output dy) {
    Output above = FactorGradients.turned(tf, op.input(0));
    Output main = FactorGradients.turned(tf, op.input(1));
    Output below = FactorGradients.turned(tf, op.input(2));
    Output right = op.input(3);
    Output ofRight =
        tf.addN(
            List.of(
                shiftDown(tf, tf.mul(above, dy)),
                tf.mul(main, dy),
                shiftUp(tf, tf.mul(below, dy))));
    return List.of(
        diagonal(tf, shiftUp(tf, right), dy),
        diagonal(tf, right, dy),
        diagonal(tf, shiftDown(tf, right), dy),
        ofRight);
  }

  private static List<Output> solveGradient(Ops tf, Operation op, Output dy) {
    List<Output> columns = tf.array.splitV(FactorGradients.turned(tf, op.input(0)), -1, 1, 1, 1);
    Output transposed =
        tf.concat(-1, shiftUp(tf, columns.get(2)), columns.get(1), shiftDown(tf, columns.get(0)));
    Output ofRight =
        tf.linalg.tridiagonalSolve(
            FactorGradients.turned(tf, transposed), dy, op.attributes().bool("partial_pivoting"));
    Output x = op.output(0);
    Output ofDiagonals =
        tf.concat(
            -2,
            diagonal(tf, shiftUp(tf, x), ofRight),
            diagonal(tf, x, ofRight),
            diagonal(tf, shiftDown(tf, x), ofRight));
    return List.of(tf.neg(ofDiagonals), ofRight);
  }

  /** The diagonal of {@code a} times the transposed {@code b}, as a matrix of one row. */
  private static Output diagonal(Ops tf, Output a, Output b) {
    return tf.expandDims(tf.sum(tf.mul(a, b), -1), -2);
  }

  /** Each row in the place of the one before it, and zeros in place of the last. */
  private static Output shiftUp(Ops tf, Output x) {
    Output ones = diagonalOf(tf, x);
    return tf.linalg.tridiagonalMatMul(ones, tf.zerosLike(ones), tf.zerosLike(ones), x);
  }

  /** Each row in the place of the one after it, and zeros in place of the first. */
  private static Output shiftDown(Ops tf, Output x) {
    Output ones = diagonalOf(tf, x);
    return tf.linalg.tridiagonalMatMul(tf.zerosLike(ones), tf.zerosLike(ones), ones, x);
  }

  /** Ones as a diagonal of the matrices that x can be multiplied by. */
  private static Output diagonalOf(Ops tf, Output x) {
    return tf.expandDims(tf.onesLike(tf.sum(x, -1)), -2);
  }

  /**
   * The x with {@code matrix * x = right}, for triangles of which the bands are given as rows.
   *
   * @param bands the main diagonal and those below it, or those above it and the main one
   */
  public Output bandedTriangularSolve(
      Operand bands, Operand right, boolean lower, boolean transposed) {
    return scope
        .operation("BandedTriangularSolve")
        .input(bands)
        .input(right)
        .attr("lower", lower)
        .attr("adjoint", transposed)
        .buildOutput();
  }

  /** Products of matrices that have elements only on and beside their diagonals. */
  public Output tridiagonalMatMul(Operand above, Operand main, Operand below, Operand right) {
    return scope
        .operation("TridiagonalMatMul")
        .input(above)
        .input(main)
        .input(below)
        .input(right)
        .buildOutput();
  }

  /**
   * The x with {@code matrix * x = right}, for matrices that have elements only on and beside their
   * diagonals.
   *
   * @param diagonals the diagonals above, on and below the main one as rows
   */
  public Output tridiagonalSolve(Operand diagonals, Operand right, boolean pivoting) {
    return scope
        .operation("TridiagonalSolve")
        .input(diagonals)
        .input(right)
        .attr("partial_pivoting", pivoting)
        .buildOutput();
  }
}
