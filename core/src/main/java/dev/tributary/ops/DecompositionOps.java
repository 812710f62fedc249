package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.LeastSquaresKernel;
import dev.tributary.internal.kernel.math.MatrixFunctionKernels;
import dev.tributary.internal.kernel.math.MatrixKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Inverses, determinants and decompositions of matrices, and solutions of linear equations. */
abstract sealed class DecompositionOps extends BandOps permits LinalgOps {
  private static final String DOUBLE_FIRST = "T: {double, float, half, complex64, complex128}";
  private static final String HALF_FIRST = "T: {half, float, double, complex64, complex128}";

  DecompositionOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("MatrixInverse")
            .input("input: T")
            .output("output: T")
            .attr("adjoint: bool = false")
            .attr(DOUBLE_FIRST)
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, square(c)))
            .kernel(MatrixKernels::inverse)
            .grad(
                (tf, op, dy) -> {
                  boolean adjoint = op.attributes().bool("adjoint");
                  Output inverse = op.output(0);
                  Output right = tf.linalg.batchMatMul(dy, inverse, adjoint, !adjoint);
                  return List.of(tf.neg(tf.linalg.batchMatMul(inverse, right, !adjoint, false)));
                }),
        op("MatrixDeterminant")
            .input("input: T")
            .output("output: T")
            .attr(HALF_FIRST)
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, batch(square(c))))
            .kernel(MatrixKernels::determinant)
            .grad((tf, op, dy) -> List.of(slope(tf, op.input(0), tf.mul(dy, op.output(0))))),
        op("LogMatrixDeterminant")
            .input("input: T")
            .output("sign: T")
            .output("log_abs_determinant: T")
            .attr(HALF_FIRST)
            .flag(OpFlag.EXPENSIVE)
            .shape(
                c -> {
                  Shape batch = batch(square(c));
                  c.output(0, batch);
                  c.output(1, batch);
                })
            .kernel(MatrixKernels::logDeterminant)
            .gradAll((tf, op, dy) -> List.of(slope(tf, op.input(0), dy.get(1)))),
        op("MatrixSolve")
            .input("matrix: T")
            .input("rhs: T")
            .output("output: T")
            .attr("adjoint: bool = false")
            .attr(DOUBLE_FIRST)
            .flag(OpFlag.EXPENSIVE)
            .shape(DecompositionOps::solutionShape)
            .kernel(MatrixKernels::solve)
            .grad(DecompositionOps::solveGradient),
        op("MatrixTriangularSolve")
            .input("matrix: T")
            .input("rhs: T")
            .output("output: T")
            .attr("lower: bool = true")
            .attr("adjoint: bool = false")
            .attr("T: {bfloat16, double, float, half, complex64, complex128}")
            .flag(OpFlag.EXPENSIVE)
            .shape(DecompositionOps::solutionShape)
            .kernel(MatrixKernels::triangularSolve)
            .grad(DecompositionOps::triangularGradient),
        op("Cholesky")
            .input("input: T")
            .output("output: T")
            .attr(DOUBLE_FIRST)
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, square(c)))
            .kernel(MatrixKernels::cholesky)
            .grad(DecompositionOps::choleskyGradient),
        op("CholeskyGrad")
            .input("l: T")
            .input("grad: T")
            .output("output: T")
            .attr("T: {half, float, double}")
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, square(c)))
            .kernel(MatrixKernels::choleskyGradient)
            .notDifferentiable(),
        op("MatrixSolveLs")
            .input("matrix: T")
            .input("rhs: T")
            .input("l2_regularizer: double")
            .output("output: T")
            .attr(DOUBLE_FIRST)
            .attr("fast: bool = true")
            .flag(OpFlag.EXPENSIVE)
            .shape(DecompositionOps::leastSquaresShape)
            .kernel(LeastSquaresKernel::new)
            .grad(DecompositionOps::leastSquaresGradient),
        op("MatrixSquareRoot")
            .input("input: T")
            .output("output: T")
            .attr(DOUBLE_FIRST)
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, square(c)))
            .kernel(MatrixFunctionKernels::squareRoot)
            .grad(DecompositionOps::squareRootGradient),
        op("MatrixExponential")
            .input("input: T")
            .output("output: T")
            .attr(DOUBLE_FIRST)
            .deprecated(27, "Use Python implementation tf.linalg.matrix_exponential instead.")
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, square(c)))
            .kernel(MatrixFunctionKernels::exponential)
            .notDifferentiable(),
        op("MatrixLogarithm")
            .input("input: T")
            .output("output: T")
            .attr("T: {complex64, complex128}")
            .flag(OpFlag.EXPENSIVE)
            .shape(c -> c.output(0, square(c)))
            .kernel(MatrixFunctionKernels::logarithm)
            .notDifferentiable());
  }

  static Shape square(InferenceContext context) {
    Shape shape = context.withRankAtLeast(0, 2);
    if (!shape.hasRank()) {
      return shape;
    }
    Shape rows = shape.slice(shape.rank() - 2, shape.rank() - 1);
    Shape columns = shape.slice(shape.rank() - 1, shape.rank());
    if (!rows.isCompatibleWith(columns)) {
      throw TributaryException.invalidArgument("Input matrix must be square, got %s", shape);
    }
    Shape size = rows.merge(columns);
    return batch(shape).concatenate(size).concatenate(size);
  }

  static Shape batch(Shape shape) {
    return shape.hasRank() ? shape.slice(0, shape.rank() - 2) : shape;
  }

  static void solutionShape(InferenceContext context) {
    Shape matrices = square(context);
    Shape right = context.withRankAtLeast(1, 2);
    if (!matrices.hasRank() || !right.hasRank()) {
      context.output(0, right);
      return;
    }
    Shape rows = matrices.slice(0, matrices.rank() - 1);
    context.output(
        0,
        rows.merge(right.slice(0, right.rank() - 1))
            .concatenate(right.slice(right.rank() - 1, right.rank())));
  }

  static void leastSquaresShape(InferenceContext context) {
    Shape matrices = context.withRankAtLeast(0, 2);
    Shape right = context.withRankAtLeast(1, 2);
    context.withRank(2, 0);
    if (matrices.hasRank() && right.hasRank()) {
      Shape rows = matrices.slice(0, matrices.rank() - 1);
      Shape rightRows = right.slice(0, right.rank() - 1);
      if (!rows.isCompatibleWith(rightRows)) {
        throw TributaryException.invalidArgument(
            "Input matrix and rhs are incompatible: shapes %s and %s", matrices, right);
      }
      context.output(
          0,
          batch(rows.merge(rightRows).concatenate(Shape.of(1)))
              .concatenate(Shape.of(matrices.size(-1), right.size(-1))));
    }
  }

  /** The gradient of a determinant's logarithm, times a factor for each matrix. */
  private static Output slope(Ops tf, Output input, Output factors) {
    Output inverse = tf.linalg.inverse(input, true);
    Output wide = tf.reshape(factors, tf.concat(0, tf.shape(factors), tf.constant(1, 1)));
    return tf.mul(wide, inverse);
  }

  private static List<GradientValue> solveGradient(Ops tf, Operation op, Output dy) {
    boolean adjoint = op.attributes().bool("adjoint");
    Output ofRight = tf.linalg.solve(op.input(0), dy, !adjoint);
    return List.of(ofMatrix(tf, op, ofRight, adjoint), ofRight);
  }

  private static List<GradientValue> triangularGradient(Ops tf, Operation op, Output dy) {
    boolean adjoint = op.attributes().bool("adjoint");
    boolean lower = op.attributes().bool("lower");
    Output ofRight = tf.linalg.triangularSolve(op.input(0), dy, lower, !adjoint);
    Output whole = ofMatrix(tf, op, ofRight, adjoint);
    Output zero = tf.constant(0L);
    Output all = tf.constant(-1L);
    Output ofMatrix = tf.linalg.bandPart(whole, lower ? all : zero, lower ? zero : all);
    return List.of(ofMatrix, ofRight);
  }

  /** The gradient of a matrix by which equations were solved. */
  static Output ofMatrix(Ops tf, Operation op, Output ofRight, boolean adjoint) {
    Output solution = op.output(0);
    return tf.neg(
        adjoint
            ? tf.linalg.batchMatMul(solution, ofRight, false, true)
            : tf.linalg.batchMatMul(ofRight, solution, false, true));
  }

  /** By I. Murray, "Differentiation of the Cholesky decomposition" (2016). */
  private static List<Output> choleskyGradient(Ops tf, Operation op, Output dy) {
    Output factor = op.output(0);
    Output half = tf.constant(factor.type(), 0.5);
    Output ones = tf.onesLike(tf.linalg.diagPart(factor));
    Output inverse = tf.linalg.triangularSolve(factor, tf.linalg.diag(ones), true, false);
    Output product = tf.linalg.batchMatMul(factor, dy, true, false);
    Output halved = tf.linalg.setDiag(product, tf.mul(half, tf.linalg.diagPart(product)));
    Output middle = tf.linalg.bandPart(halved, tf.constant(-1L), tf.constant(0L));
    Output outer =
        tf.linalg.batchMatMul(
            tf.linalg.batchMatMul(inverse, middle, true, false), inverse, false, false);
    Output identity = tf.linalg.diag(ones);
    Output turned = tf.linalg.batchMatMul(outer, identity, true, false);
    return List.of(tf.mul(half, tf.add(outer, turned)));
  }

  /** Of the normal equations, so only for the fast way. */
  private static List<GradientValue> leastSquaresGradient(Ops tf, Operation op, Output dy) {
    Output a = op.input(0);
    Output b = op.input(1);
    Shape shape = a.shape();
    if (!op.attributes().bool("fast")
        || !shape.hasRank()
        || shape.size(-2) == Shape.UNKNOWN
        || shape.size(-1) == Shape.UNKNOWN) {
      throw TributaryException.unimplemented(
          "%s: the gradient of MatrixSolveLs needs fast = true and matrices of known size, got"
              + " fast = %s and shape %s",
          op.name(), op.attributes().bool("fast"), shape);
    }
    boolean deep = shape.size(-2) >= shape.size(-1);
    Output products = tf.linalg.batchMatMul(a, a, deep, !deep);
    Output diagonal = tf.linalg.diagPart(products);
    Output lambda = tf.cast(op.input(2), a.type());
    Output normal = tf.linalg.setDiag(products, tf.add(diagonal, lambda));
    if (deep) {
      Output z = tf.linalg.solve(normal, dy, false);
      Output xz = tf.linalg.batchMatMul(op.output(0), z, false, true);
      Output both = tf.add(xz, FactorGradients.turned(tf, xz));
      Output ofA = tf.sub(tf.linalg.batchMatMul(b, z, false, true), tf.linalg.batchMatMul(a, both));
      return List.of(ofA, tf.linalg.batchMatMul(a, z), GradientValue.none());
    }
    Output ofB = tf.linalg.solve(normal, tf.linalg.batchMatMul(a, dy), false);
    Output solved = tf.linalg.solve(normal, b, false);
    Output inner = tf.linalg.batchMatMul(solved, a, true, false);
    Output rest = tf.sub(dy, tf.linalg.batchMatMul(a, ofB, true, false));
    Output ofA =
        tf.sub(tf.linalg.batchMatMul(solved, rest, false, true), tf.linalg.batchMatMul(ofB, inner));
    return List.of(ofA, ofB, GradientValue.none());
  }

  /**
   * By the equation {@code dA = R * dR + dR * R}, which is linear in the elements of dR: its
   * transposed matrix is made of products of the root's elements with ones.
   */
  private static List<Output> squareRootGradient(Ops tf, Operation op, Output dy) {
    Output root = op.output(0);
    Output identity = tf.linalg.diag(tf.onesLike(tf.linalg.diagPart(root)));
    String products = "...ij,...kl->...ikjl";
    Output left = tf.linalg.einsum(products, FactorGradients.turned(tf, root), identity);
    Output right = tf.linalg.einsum(products, identity, root);
    Output sum = tf.add(left, right);
    Output shape = tf.shape(root);
    Output batch = FactorGradients.batchShape(tf, root);
    Output size = tf.square(tf.array.at(shape, -1));
    Output one = tf.constant(1);
    Output equations = tf.reshape(sum, tf.concat(0, batch, tf.stack(size, size)));
    Output slopes = tf.reshape(dy, tf.concat(0, batch, tf.stack(size, one)));
    return List.of(tf.reshape(tf.linalg.solve(equations, slopes, false), shape));
  }

  /** The inverses of matrices. */
  public Output inverse(Operand input) {
    return inverse(input, false);
  }

  /** The inverses of matrices, or of their transposes. */
  public Output inverse(Operand input, boolean transposed) {
    return scope.operation("MatrixInverse").input(input).attr("adjoint", transposed).buildOutput();
  }

  public Output determinant(Operand input) {
    return scope.operation("MatrixDeterminant").input(input).buildOutput();
  }

  /** The signs of determinants (0), and the logarithms of their absolute values (1). */
  public List<Output> logDeterminant(Operand input) {
    return scope.operation("LogMatrixDeterminant").input(input).build().outputs();
  }

  /** The x with {@code matrix * x = right}, or with the transposed matrix. */
  public Output solve(Operand matrix, Operand right, boolean transposed) {
    return scope
        .operation("MatrixSolve")
        .input(matrix)
        .input(right)
        .attr("adjoint", transposed)
        .buildOutput();
  }

  /** The same for a matrix of which only the lower or upper triangle counts. */
  public Output triangularSolve(Operand matrix, Operand right, boolean lower, boolean transposed) {
    return scope
        .operation("MatrixTriangularSolve")
        .input(matrix)
        .input(right)
        .attr("lower", lower)
        .attr("adjoint", transposed)
        .buildOutput();
  }

  /** The lower triangles whose products with their own transposes are the input. */
  public Output cholesky(Operand input) {
    return scope.operation("Cholesky").input(input).buildOutput();
  }

  /**
   * The x for which the squares of {@code matrix * x - right}, and the regularizer times those of
   * x, have the least sum; for more columns than rows, the least x with {@code matrix * x = right}.
   *
   * @param regularizer a double
   * @param fast whether to solve the normal equations, which do not serve matrices that are close
   *     to singular
   */
  public Output solveLeastSquares(
      Operand matrix, Operand right, Operand regularizer, boolean fast) {
    return scope
        .operation("MatrixSolveLs")
        .input(matrix)
        .input(right)
        .input(regularizer)
        .attr("fast", fast)
        .buildOutput();
  }

  /** The matrices whose squares are the input. */
  public Output squareRoot(Operand input) {
    return scope.operation("MatrixSquareRoot").input(input).buildOutput();
  }

  /** The exponential function of matrices, which is the limit of {@code (1 + input / n)^n}. */
  public Output exponential(Operand input) {
    return scope.operation("MatrixExponential").input(input).buildOutput();
  }
}
